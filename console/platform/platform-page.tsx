import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { platform } from '../generated/platform.ts'
import type { PlatformQuery } from '../generated/types.ts'
import { column, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { countText, humanized } from '../parts/formats.ts'
import { charts, figures } from '../parts/metric-lists.ts'
import { MetricCharts, MetricFigures, metricCharts } from '../parts/metrics.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { platformTexts as texts } from '../texts/platform-texts.ts'
import { PartnerUsage } from './partner-usage.tsx'

const shownCharts = metricCharts([charts.users, charts.requests, charts.points, charts.plays])

type Entry = PlatformQuery['platform']['auditLog']['nodes'][number]

const columns: Column<Entry>[] = [
  timeColumn(texts.time, ({ occurredAt }) => occurredAt),
  column(texts.who, ({ actorName, actorKind }) => actorName ?? humanized(actorKind)),
  column(texts.what, ({ action, refusal }) => (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" ff="monospace">
        {action}
      </Text>
      {refusal && <Badge color="red">{humanized(refusal)}</Badge>}
    </Group>
  )),
  column(texts.thing, ({ targetType }) => targetType),
  column(texts.environment, ({ environment }) => environment && humanized(environment)),
]

const { activeUsers, newUsers, pointsIssued, plays, requests } = figures

type Counted = { totalCount: { value: number; precision: string } }

const figuresOf = ({ platform, arena }: PlatformQuery): [label: string, of: Counted][] => [
  [texts.openPartners, platform.open],
  [texts.closedPartners, platform.closed],
  [texts.members, platform.members],
  [texts.lotteries, platform.lotteries],
  [texts.waiting, platform.waiting],
  [texts.games, arena.games],
  [texts.agents, arena.agents],
  [texts.live, arena.live],
  [texts.played, arena.played],
]

/** Since when a metric of all partners is counted is not known: it counts as known if its first day has a value. */
const sinceFirstDay = (series: PlatformQuery['platform']['earlier']) =>
  series?.map((sery) => ({
    ...sery,
    countedSince: sery.buckets[0]?.value ? sery.buckets[0].date : null,
  }))

/** The service as a whole, for its operators. */
// Long: one part of the page after the other.
export const PlatformPage = () => {
  // All partners are counted by days of UTC.
  const period = usePeriod('30-days', 'UTC')
  const variables = {
    ...period.variables,
    environment: useEnvironment(),
  }
  const query = usePage(platform, variables, { refreshMs: 30_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker of={period} />}
      operation={platform}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <Stack>
          <MetricFigures
            figures={[activeUsers, newUsers, pointsIssued, plays, requests]}
            now={data.platform.now}
            earlier={sinceFirstDay(data.platform.earlier)}
            period={period}
          />
          <MetricCharts
            charts={shownCharts}
            of={data.platform.now}
            earlier={sinceFirstDay(data.platform.earlier)}
            period={period}
            columns={2}
          />
          <PartnerUsage of={data.platform.byPartner} />
          <Panel title={texts.state} isFramed={false}>
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
              {figuresOf(data).map(([label, { totalCount }]) => (
                <StatCard key={label} label={label} value={countText(totalCount)} />
              ))}
            </SimpleGrid>
          </Panel>
          <Group gap="lg">
            <PageLink page="partners" size="sm">
              {texts.toPartners}
            </PageLink>
            <PageLink page="review-queue" size="sm">
              {texts.toReviews}
            </PageLink>
          </Group>
          <Panel title={texts.changes} hint={texts.changesHint} isFramed={false}>
            <ConnectionTable
              label={texts.changes}
              of={data.platform.auditLog}
              columns={columns}
              idOf={({ id }) => id}
              empty={texts.noChanges}
            />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}
