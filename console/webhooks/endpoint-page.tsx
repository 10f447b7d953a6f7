import { SimpleGrid, Stack } from '@mantine/core'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import type { WebhookEndpointQuery } from '../generated/types.ts'
import { webhookEndpoint } from '../generated/webhook-endpoint.ts'
import { chosen } from '../parts/choice-field.tsx'
import { pageOf } from '../parts/connection-table.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText, percentText, timeText } from '../parts/formats.ts'
import { orderOf } from '../parts/list-order.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, rangeOf, useListPeriod, usePeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { useEventPatterns } from '../parts/use-event-patterns.ts'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { AttemptsChart, totalOf } from './attempts-chart.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { deliveryOrders, deliveryStatuses, EndpointDeliveries } from './endpoint-deliveries.tsx'
import { EndpointStatus } from './endpoint-status.tsx'

type Shown = NonNullable<WebhookEndpointQuery['webhookEndpoint']>
type Attempts = WebhookEndpointQuery['attempts']

const EndpointFacts = ({ of }: { of: Shown }) => (
  <Panel title={texts.endpoint}>
    <Facts
      of={[
        [texts.url, of.url],
        [texts.status, <EndpointStatus key="status" of={of} />],
        [texts.disabledBecause, of.disabledMessage],
        [texts.events, of.eventNames.includes('*') ? texts.allEvents : of.eventNames.join(', ')],
        [texts.note, of.description],
        [
          texts.secretUntil,
          of.previousSecretExpiresAt && texts.until(timeText(of.previousSecretExpiresAt)),
        ],
        [texts.created, timeText(of.createdAt)],
      ]}
    />
  </Panel>
)

const Figures = ({ of }: { of: Attempts }) => {
  const attempts = totalOf(of, 'WEBHOOK_ATTEMPTS')
  const accepted = totalOf(of, 'WEBHOOK_ATTEMPTS', 'SUCCEEDED')
  const mean = totalOf(of, 'WEBHOOK_ATTEMPT_MS') / attempts
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} mb="md">
      <StatCard label={texts.attempts} value={attempts} />
      <StatCard
        label={texts.acceptedShare}
        value={attempts === 0 ? '–' : percentText(accepted / attempts)}
      />
      <StatCard
        label={texts.meanTime}
        value={attempts === 0 ? '–' : texts.milliseconds(numberText(Math.round(mean)))}
      />
    </SimpleGrid>
  )
}

/** More often while an attempt is due, because somebody may be waiting for its outcome. */
const refreshMs = (data: WebhookEndpointQuery | undefined) => {
  const isDue = data?.webhookEndpoint?.deliveries.nodes.some(
    ({ nextAttemptAt: at }) => at && Math.abs(Date.parse(at) - Date.now()) < 30_000,
  )
  return isDue ? 2_000 : 10_000
}

/** One endpoint: what is sent to it, and how its server answers. */
export const EndpointPage = () => {
  const id = usePageId()
  const [search, setSearch] = usePageSearch()
  const period = usePeriod()
  const status = chosen(search['status'], deliveryStatuses)
  const patterns = useEventPatterns()
  const type = patterns ? chosen(search['type'], patterns) : search['type']
  const listPeriod = useListPeriod()
  const order = orderOf(search, deliveryOrders, 'EVENT_OCCURRED_AT')
  const deliveries = {
    ...(status && { statuses: [status] }),
    ...(type && { names: [type] }),
    ...(listPeriod && { eventOccurredAt: rangeOf(listPeriod) }),
  }
  const variables = {
    id,
    ...pageOf(search, 25),
    ...period.variables,
    deliveries,
    orderBy: order,
    attempts: { dimension: 'WEBHOOK_ENDPOINT' as const, values: [id] },
  }
  const query = usePage(webhookEndpoint, variables, { refreshMs })
  const found = query.data?.webhookEndpoint
  return (
    <Page
      title={found ? found.url.replace(/^https?:\/\//, '') : texts.endpoint}
      actions={
        found && <EndpointActions of={found} onSent={(delivery) => setSearch({ delivery })} />
      }
      operation={webhookEndpoint}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchEndpoint}
    >
      {({ webhookEndpoint: shown, attempts, earlier }) =>
        shown ? (
          <Stack>
            <EndpointFacts of={shown} />
            <Panel title={texts.attemptsChart} actions={<PeriodPicker of={period} />}>
              <Figures of={attempts} />
              <AttemptsChart of={attempts} earlier={earlier} period={period} />
            </Panel>
            <EndpointDeliveries
              of={shown.deliveries}
              patterns={patterns ?? []}
              filter={deliveries}
              period={listPeriod}
              order={order}
            />
          </Stack>
        ) : (
          <NoSuch text={texts.noSuchEndpoint} />
        )
      }
    </Page>
  )
}
