import { Badge, Button, Text } from '@mantine/core'
import type { EventRowFragment } from '../generated/types.ts'
import { actionsColumn, column, sortable, timeColumn, wide } from '../parts/columns.tsx'
import type { Column } from '../parts/connection-table.tsx'
import { mainFactsOf, valueText } from '../parts/event-facts.ts'
import { eventsTexts as texts } from '../texts/events-texts.ts'

/** An event in one line. */
const Summary = ({ payload }: { payload: unknown }) => (
  // As wide as the other columns and the navigation leave it.
  <Text truncate component="div" maw="max(20rem, calc(100vw - 50rem))">
    {mainFactsOf(payload).map((fact) => (
      <Text key={fact.name} span size="sm" pr="sm">
        <Text span size="xs" c="dimmed">
          {fact.label}
        </Text>{' '}
        {valueText(fact)}
      </Text>
    ))}
  </Text>
)

export const eventOrders = { COMMITTED_AT: 'DESC' } as const

export const eventColumns = (show: (id: string) => void): Column<EventRowFragment>[] => [
  sortable(eventOrders, 'COMMITTED_AT', {
    ...timeColumn(texts.time, ({ occurredAt }) => occurredAt),
    width: 120,
  }),
  {
    ...column(texts.event, ({ name }) => (
      <Badge color="gray" ff="monospace">
        {name}
      </Badge>
    )),
    width: 250,
  },
  wide(column(texts.content, ({ payload }) => <Summary payload={payload} />)),
  actionsColumn(({ id, name }) => (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={texts.detailsOf(name)}
      onClick={() => show(id)}
    >
      {texts.details}
    </Button>
  )),
]
