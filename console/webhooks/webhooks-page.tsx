import { Stack, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import type { EndpointFragment } from '../generated/types.ts'
import { webhooks } from '../generated/webhooks.ts'
import { column, sortable, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconPlugConnected } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodPicker, usePeriod } from '../parts/period.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { AttemptsChart } from './attempts-chart.tsx'
import { CreateEndpoint } from './create-endpoint.tsx'
import { EndpointStatus } from './endpoint-status.tsx'

const eventsText = (events: readonly string[]) => {
  if (events.includes('*')) return texts.allEvents
  return events.length <= 2 ? events.join(', ') : texts.eventCount(events.length)
}

const orders = { CREATED_AT: 'ASC' } as const

const columns: Column<EndpointFragment>[] = [
  column(texts.endpoint, ({ id, url, description }) => (
    <>
      <PageLink page="webhooks" id={id} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </PageLink>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      )}
    </>
  )),
  wide(column(texts.status, (row) => <EndpointStatus of={row} />)),
  column(texts.events, ({ eventNames }) => eventsText(eventNames)),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
]

export const WebhooksPage = () => {
  const [search] = usePageSearch()
  const period = usePeriod()
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = { ...pageOf(search, 25), ...period.variables, orderBy: order }
  const query = usePage(webhooks, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <PeriodPicker of={period} />
          <CreateEndpoint />
        </>
      }
      operation={webhooks}
      variables={variables}
      asked={query}
    >
      {({ webhookEndpoints, attempts, earlier }) => (
        <Stack>
          <Panel title={texts.attemptsChart}>
            <AttemptsChart of={attempts} earlier={earlier} period={period} />
          </Panel>
          <ConnectionTable
            label={texts.endpoints}
            name="endpoints"
            order={order}
            of={webhookEndpoints}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <EmptyState icon={IconPlugConnected} text={texts.empty} action={<CreateEndpoint />} />
            }
          />
        </Stack>
      )}
    </Page>
  )
}
