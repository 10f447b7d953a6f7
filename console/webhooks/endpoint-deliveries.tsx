import { Button } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import type { WebhookEndpointQuery } from '../generated/types.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import { actionsColumn, column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconSend } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'

type Deliveries = NonNullable<WebhookEndpointQuery['webhookEndpoint']>['deliveries']
type Row = Deliveries['nodes'][number]

export const deliveryStatuses = ['DELIVERED', 'PENDING', 'FAILED'] as const

const columnsOf = (show: (id: string) => void): Column<Row>[] => [
  timeColumn(texts.happened, ({ eventOccurredAt }) => eventOccurredAt),
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

/** The deliveries of an endpoint, newest first. The URL holds the open one. */
export const EndpointDeliveries = (props: {
  of: Deliveries
  patterns: readonly string[]
  isFiltered: boolean
}) => {
  const { of, patterns, isFiltered } = props
  const [search, setSearch] = usePageSearch()
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
        </>
      }
    >
      <ConnectionTable
        label={texts.deliveries}
        of={of}
        columns={columnsOf((id) => setSearch({ delivery: id }))}
        idOf={({ id }) => id}
        isFiltered={isFiltered}
        empty={<EmptyState icon={IconSend} text={texts.noDeliveries} />}
      />
      <DeliveryDrawer id={delivery} onClose={() => setSearch({ delivery: undefined })} />
    </Panel>
  )
}
