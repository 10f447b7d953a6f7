/** A module of its own, so that pages with areas only do not load it. */
import { BarChart } from '@mantine/charts'
import { commonProps, type DrawnChart, keysOf } from './drawn-chart.tsx'

type Shape = {
  x?: number
  y?: number
  width?: number
  height?: number
  fill?: string
  fillOpacity?: number | string
  payload?: { isUnfinished?: boolean }
}

export { BarChart }

/** A bar. That of the day that is not over is lighter, with a dashed border. */
const Bar = ({ x, y, width = 0, height = 0, fill, fillOpacity, payload }: Shape) =>
  height === 0 ? null : payload?.isUnfinished ? (
    <rect
      x={(x ?? 0) + 0.5}
      y={y}
      width={Math.max(width - 1, 1)}
      height={height}
      fill={fill}
      fillOpacity={0.3}
      stroke={fill}
      strokeDasharray="3 3"
    />
  ) : (
    <rect x={x} y={y} width={width} height={height} fill={fill} fillOpacity={fillOpacity} />
  )

/** Bars by day, beside those of the earlier period. */
export const DayBars = (props: DrawnChart) => {
  const { rows, lines, isStacked } = props
  const data = rows.map(({ at, isUnfinished, values, before }) => ({
    at,
    isUnfinished,
    ...Object.fromEntries(
      lines.flatMap((_, n) => {
        const keys = keysOf(n)
        return [
          [keys.value, values[n]],
          [keys.before, before[n]],
        ]
      }),
    ),
  }))
  const series = lines.flatMap(({ name, color, before }, n) => {
    const keys = keysOf(n)
    const stackOf = (id: string) => (isStacked ? { stackId: id } : {})
    return [
      ...(before === null
        ? []
        : [{ name: keys.before, label: before, color, ...stackOf('before') }]),
      { name: keys.value, label: name, color, ...stackOf('now') },
    ]
  })
  return (
    <BarChart
      {...(commonProps(props, series) as object)}
      h={props.h}
      dataKey="at"
      data={data}
      series={series}
      barProps={({ name }) => ({
        shape: (shape: Shape) => (
          <Bar {...shape} {...(name.endsWith('-before') && { fillOpacity: 0.35, payload: {} })} />
        ),
      })}
    />
  )
}
