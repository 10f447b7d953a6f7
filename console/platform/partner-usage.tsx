import { Text } from '@mantine/core'
import type { PlatformQuery, StatisticsMetric } from '../generated/types.ts'
import { column } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { metricsTexts as metrics } from '../texts/metrics-texts.ts'
import { platformTexts as texts } from '../texts/platform-texts.ts'

type Series = PlatformQuery['platform']['byPartner'][number]
type Row = NonNullable<Series['partner']> & { totals: ReadonlyMap<StatisticsMetric, number> }

const shown = 10

/** One row per partner, in the order of the first metric that lists them: the highest total first. */
const rowsOf = (all: readonly Series[]): Row[] => {
  const byPartner = Map.groupBy(all, ({ partner }) => partner?.id)
  return [...byPartner.values()].flatMap((series) => {
    const partner = series[0]?.partner
    const totals = new Map(series.map(({ metric, total }) => [metric, total]))
    return partner ? [{ ...partner, totals }] : []
  })
}

/** A metric of a partner. Empty for partners that are not among the highest of the metric. */
const metricColumn = (title: string, metric: StatisticsMetric): Column<Row> => ({
  ...column(title, ({ totals }: Row) => {
    const total = totals.get(metric)
    return total === undefined ? null : numberText(total)
  }),
  textAlign: 'right',
})

const columns: Column<Row>[] = [
  column(texts.partner, ({ name, slug }) => (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {slug}
      </Text>
    </>
  )),
  metricColumn(metrics.requests, 'API_REQUESTS'),
  {
    ...column(metrics.failedRequests, ({ totals }: Row) => {
      const requests = totals.get('API_REQUESTS')
      return requests ? percentText((totals.get('API_ERRORS') ?? 0) / requests) : null
    }),
    textAlign: 'right',
  },
  metricColumn(metrics.newUsers, 'NEW_USERS'),
  metricColumn(metrics.pointsIssued, 'POINTS_ISSUED'),
  metricColumn(metrics.plays, 'PLAYS'),
]

/** Who uses the service most. */
export const PartnerUsage = ({ of }: { of: readonly Series[] }) => (
  <Panel title={texts.partners} hint={texts.partnersHint(shown)} isFramed={false}>
    <ConnectionTable
      label={texts.partners}
      of={{ nodes: rowsOf(of).slice(0, shown) }}
      columns={columns}
      idOf={({ id }) => id}
      empty={texts.noUsage}
    />
  </Panel>
)
