import { Group, MultiSelect, Stack } from '@mantine/core'
import { PageButton, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { events } from '../generated/events.ts'
import type { EventRowFragment } from '../generated/types.ts'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconBroadcast } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { type Period, PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { useEventPatterns } from '../parts/use-event-patterns.ts'
import { eventsTexts as texts } from '../texts/events-texts.ts'
import { eventColumns, eventOrders } from './event-columns.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { useTail } from './use-tail.ts'

type Connection = Parameters<typeof ConnectionTable<EventRowFragment>>[0]['of']

const EventTable = (props: {
  of: Connection
  columns: Column<EventRowFragment>[]
  order: ListOrder
  isFiltered: boolean
}) => (
  <ConnectionTable
    label={texts.title}
    name="events"
    {...props}
    idOf={({ id }) => id}
    empty={
      <EmptyState
        icon={IconBroadcast}
        text={texts.empty}
        action={<PageButton page="keys">{texts.toKeys}</PageButton>}
      />
    }
  />
)

/** The first page, newest first, with live events above the fetched ones. */
const LiveEvents = (props: Parameters<typeof EventTable>[0] & { types: string[] }) => {
  const { of, types, ...rest } = props
  const tail = useTail(types)
  const fresh = new Set(tail.shown.map(({ id }) => id))
  const nodes = [...tail.shown, ...of.nodes.filter(({ id }) => !fresh.has(id))]
  return (
    <>
      <LiveSwitch of={tail} />
      <EventTable of={{ ...of, nodes }} {...rest} />
    </>
  )
}

const TypeFilter = (props: { types: string[]; patterns: readonly string[] | undefined }) => {
  const { types, patterns = [] } = props
  const [, setSearch] = usePageSearch()
  return (
    <MultiSelect
      aria-label={texts.filterLabel}
      placeholder={types.length === 0 ? texts.filter : undefined}
      data={[...patterns]}
      value={types}
      onChange={(chosen) =>
        setSearch({ types: chosen.join(','), after: undefined, before: undefined })
      }
      searchable
      clearable
      flex={{ base: '1 1 100%', md: '0 1 400px' }}
    />
  )
}

const EventFilters = (props: {
  types: string[]
  patterns: readonly string[] | undefined
  period: Period | null
  table: { columns: Column<EventRowFragment>[]; order: ListOrder }
}) => {
  const { types, patterns, period, table } = props
  return (
    <Group gap="xs">
      <TypeFilter types={types} patterns={patterns} />
      <PeriodField of={period} />
      <ListTools name="events" {...table} filters={['types', 'period', 'from', 'to']}>
        <ExportList
          kind="EVENTS"
          filter={{
            ...(types.length > 0 && { eventNames: types }),
            ...(period && { createdAt: rangeOf(period) }),
          }}
        />
      </ListTools>
    </Group>
  )
}

export const EventsPage = () => {
  const [search, setSearch] = usePageSearch()
  const patterns = useEventPatterns()
  const types = (search['types']?.split(',') ?? []).filter(
    (item) => patterns?.includes(item) ?? item,
  )
  const period = useListPeriod()
  const order = orderOf(search, eventOrders, 'COMMITTED_AT')
  const isFiltered = types.length > 0 || period !== null
  // Other pages, orders and periods do not begin with what happens now.
  const isLive =
    !search['after'] && !search['before'] && order.direction === 'DESC' && period === null
  const variables = {
    ...pageOf(search, 50),
    orderBy: order,
    ...(isFiltered && {
      filter: {
        ...(types.length > 0 && { names: types }),
        ...(period && { occurredAt: rangeOf(period) }),
      },
    }),
  }
  const query = usePage(events, variables)
  const columns = eventColumns((event) => setSearch({ event }))
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={events}
      variables={variables}
      asked={query}
    >
      {({ events: found }) => {
        const table = { columns, order }
        const shown = { ...table, of: found, isFiltered }
        return (
          <Stack gap="sm">
            <EventFilters types={types} patterns={patterns} period={period} table={table} />
            {isLive ? (
              <LiveEvents key={types.join()} types={types} {...shown} />
            ) : (
              <EventTable {...shown} />
            )}
            <EventDrawer id={search['event']} onClose={() => setSearch({ event: undefined })} />
          </Stack>
        )
      }}
    </Page>
  )
}
