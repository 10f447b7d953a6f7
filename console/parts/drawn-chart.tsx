/** What charts of areas and of bars share: their data, the tooltip and the legend. */
import { ChartLegend, ChartTooltip } from '@mantine/charts'
import type { ComponentProps } from 'react'
import { periodTexts } from '../texts/period-texts.ts'

export type DrawnChart = {
  h: number
  rows: readonly {
    at: string
    isUnfinished: boolean
    values: readonly number[]
    before: readonly (number | null)[]
  }[]
  /** `before`: the name of the values before; null if there are none. */
  lines: readonly { name: string; color: string; before: string | null }[]
  isStacked: boolean
  isLevel: boolean
  valueFormatter: (value: number) => string
}

/** The keys of a line in the data of a chart: its values, those of the day that is not over, and those before. */
export const keysOf = (n: number) => ({
  value: `s${n}`,
  soFar: `s${n}-today`,
  before: `s${n}-before`,
})

const isExtra = (key: unknown) => String(key).endsWith('-today')

type Entry = {
  name?: unknown
  dataKey?: unknown
  value?: unknown
  payload?: { isUnfinished?: boolean }
}
type Named = NonNullable<ComponentProps<typeof ChartTooltip>['series']>

/** The props that both kinds of charts have. */
export const commonProps = ({ h, lines, isLevel, valueFormatter }: DrawnChart, series: Named) => ({
  h,
  dataKey: 'at',
  valueFormatter,
  withLegend: lines.length > 1 || lines.some(({ before }) => before !== null),
  tickLine: 'none' as const,
  gridAxis: 'x' as const,
  xAxisProps: { interval: 'equidistantPreserveStart' as const, minTickGap: 24 },
  legendProps: {
    itemSorter: null,
    content: ({ payload = [] }: { payload?: readonly Entry[] | undefined }) => (
      <ChartLegend
        payload={payload.filter(({ dataKey }) => !isExtra(dataKey)) as never}
        onHighlight={() => {}}
        legendPosition="top"
        series={series}
      />
    ),
  },
  tooltipProps: {
    content: ({
      label,
      payload = [],
    }: {
      label?: unknown
      payload?: readonly Entry[] | undefined
    }) => {
      const isUnfinished = payload[0]?.payload?.isUnfinished === true
      const shown = payload.filter(
        ({ dataKey, value }) => value != null && (isUnfinished || !isExtra(dataKey)),
      )
      return (
        <ChartTooltip
          label={isUnfinished ? `${label} · ${periodTexts.soFar}` : (label as string)}
          payload={shown as never}
          series={series}
          valueFormatter={valueFormatter}
        />
      )
    },
  },
  yAxisProps: { allowDecimals: false, ...(isLevel && { domain: ['auto', 'auto'] }) },
})
