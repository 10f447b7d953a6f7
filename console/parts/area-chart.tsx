/** A module of its own, so that pages with bars only do not load it. */
import { AreaChart } from '@mantine/charts'
import { commonProps, type DrawnChart, keysOf } from './drawn-chart.tsx'

/** Areas. The line to the day that is not over is dashed, and so is the line of the earlier period. */
export const DayAreas = (props: DrawnChart) => {
  const { rows, lines } = props
  const hasUnfinished = rows.at(-1)?.isUnfinished === true
  const beforeUnfinished = rows.length - 2
  const data = rows.map(({ at, isUnfinished, values, before }, i) => ({
    at,
    isUnfinished,
    ...Object.fromEntries(
      lines.flatMap((_, n) => {
        const keys = keysOf(n)
        return [
          [keys.value, isUnfinished ? null : values[n]],
          [keys.soFar, hasUnfinished && i >= beforeUnfinished ? values[n] : null],
          [keys.before, before[n]],
        ]
      }),
    ),
  }))
  const series = lines.flatMap(({ name, color, before }, n) => {
    const keys = keysOf(n)
    return [
      { name: keys.value, label: name, color },
      ...(hasUnfinished ? [{ name: keys.soFar, label: name, color, strokeDasharray: '4 4' }] : []),
      ...(before === null
        ? []
        : [{ name: keys.before, label: before, color, strokeDasharray: '2 4' }]),
    ]
  })
  return (
    <AreaChart
      {...(commonProps(props, series) as object)}
      h={props.h}
      dataKey="at"
      data={data}
      series={series}
      curveType="monotone"
      // A single day is a point, not a line.
      withDots={rows.length === 1}
      fillOpacity={0.15}
      areaProps={({ name }) =>
        name.endsWith('-before') ? { fillOpacity: 0, strokeOpacity: 0.7, strokeWidth: 1.5 } : {}
      }
    />
  )
}
