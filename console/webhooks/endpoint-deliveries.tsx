import { Button } from '@mantine/core'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { ExportList } from '../exports/export-list.tsx'
import type { WebhookEndpointDeliveryFilter, WebhookEndpointQuery } from '../generated/types.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import {
  actionsColumn,
  column,
  numberColumn,
  sortable,
  statusColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconSend } from '../parts/icons.ts'
import type { ListOrder } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Period, PeriodField, rangeOf } from '../parts/period.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'

type Deliveries = NonNullable<WebhookEndpointQuery['webhookEndpoint']>['deliveries']
type Row = Deliveries['nodes'][number]

export const deliveryStatuses = ['DELIVERED', 'PENDING', 'FAILED'] as const

export const deliveryOrders = { EVENT_OCCURRED_AT: 'DESC' } as const

const columnsOf = (show: (id: string) => void): Column<Row>[] => [
  sortable(
    deliveryOrders,
    'EVENT_OCCURRED_AT',
    timeColumn(texts.happened, ({ eventOccurredAt }) => eventOccurredAt),
  ),
  column(texts.event, ({ event }) => event.name),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.answer, ({ responseStatus }) => responseStatus),
  numberColumn(texts.attempts, ({ attemptCount }) => attemptCount),
  timeColumn(texts.nextAttempt, ({ nextAttemptAt }) => nextAttemptAt),
  actionsColumn(({ id, event }) => (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={texts.detailsOf(event.name)}
      onClick={() => show(id)}
    >
      {texts.details}
    </Button>
  )),
]

/** The deliveries of an endpoint. The URL holds the open one. */
export const EndpointDeliveries = (props: {
  of: Deliveries
  patterns: readonly string[]
  filter: WebhookEndpointDeliveryFilter
  period: Period | null
  order: ListOrder
}) => {
  const { of, patterns, filter, period, order } = props
  const [search, setSearch] = usePageSearch()
  const id = usePageId()
  const columns = columnsOf((delivery) => setSearch({ delivery }))
  const { delivery } = search
  return (
    <Panel
      title={texts.deliveries}
      isFramed={false}
      actions={
        <>
          <ChoiceField label={texts.status} name="status" values={deliveryStatuses} />
          <ChoiceField
            label={texts.eventFilter}
            name="type"
            values={patterns}
            labelOf={(pattern) => pattern}
          />
          <PeriodField of={period} />
          <ListTools
            name="deliveries"
            columns={columns}
            order={order}
            filters={['status', 'type', 'period', 'from', 'to']}
          >
            <ExportList
              kind="DELIVERIES"
              filter={{
                webhookEndpointId: id,
                ...(filter.statuses && { deliveryStatuses: filter.statuses }),
                ...(filter.names && { eventNames: filter.names }),
                ...(period && { createdAt: rangeOf(period) }),
              }}
            />
          </ListTools>
        </>
      }
    >
      <ConnectionTable
        label={texts.deliveries}
        name="deliveries"
        order={order}
        of={of}
        columns={columns}
        idOf={({ id }) => id}
        isFiltered={Object.keys(filter).length > 0}
        empty={<EmptyState icon={IconSend} text={texts.noDeliveries} />}
      />
      <DeliveryDrawer id={delivery} onClose={() => setSearch({ delivery: undefined })} />
    </Panel>
  )
}
