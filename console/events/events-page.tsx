import { MultiSelect, Stack } from '@mantine/core'
import { PageButton, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { events } from '../generated/events.ts'
import type { EventRowFragment } from '../generated/types.ts'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconBroadcast } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { useEventPatterns } from '../parts/use-event-patterns.ts'
import { eventsTexts as texts } from '../texts/events-texts.ts'
import { eventColumns } from './event-columns.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { useTail } from './use-tail.ts'

type Connection = Parameters<typeof ConnectionTable<EventRowFragment>>[0]['of']

const EventTable = (props: {
  of: Connection
  columns: Column<EventRowFragment>[]
  isFiltered: boolean
}) => (
  <ConnectionTable
    label={texts.title}
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

/** The first page, with live events above the fetched ones. */
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
      maw={640}
    />
  )
}

export const EventsPage = () => {
  const [search, setSearch] = usePageSearch()
  const patterns = useEventPatterns()
  const types = (search['types']?.split(',') ?? []).filter((one) => patterns?.includes(one) ?? one)
  const isFirstPage = !search['after'] && !search['before']
  const variables = { ...pageOf(search, 50), ...(types.length > 0 && { filter: { names: types } }) }
  const asked = usePage(events, variables)
  const columns = eventColumns((event) => setSearch({ event }))
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={events}
      variables={variables}
      asked={asked}
    >
      {({ events: found }) => {
        const table = { of: found, columns, isFiltered: types.length > 0 }
        return (
          <Stack gap="sm">
            <TypeFilter types={types} patterns={patterns} />
            {isFirstPage ? (
              <LiveEvents key={types.join()} types={types} {...table} />
            ) : (
              <EventTable {...table} />
            )}
            <EventDrawer id={search['event']} onClose={() => setSearch({ event: undefined })} />
          </Stack>
        )
      }}
    </Page>
  )
}
