import { Group } from '@mantine/core'
import { sessionColumns, sessionOrders, sessionStatuses } from '../arena-games/game-sessions.tsx'
import { SessionDrawer } from '../arena-games/session-drawer.tsx'
import { PageButton, PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { arenaGameChoices, arenaSessions } from '../generated/sessions.ts'
import type { ArenaSessionsQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { type Choice, FoundSelect } from '../parts/found-select.tsx'
import { IconClock } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { sessionsTexts as texts } from '../texts/sessions-texts.ts'

type Row = ArenaSessionsQuery['arenaSessions']['nodes'][number]

const columnsOf = (show: (id: string) => void): Column<Row>[] => {
  const [opened, ...rest] = sessionColumns<Row>(show)
  const game = column<Row>(
    texts.game,
    ({ game }) =>
      game && (
        <PageLink page="arena-games" id={game.id} size="sm" fw={600}>
          {game.name}
        </PageLink>
      ),
  )
  return [...(opened ? [opened] : []), game, ...rest]
}

const Filters = (props: { game: Choice | undefined; columns: Column<Row>[]; order: ListOrder }) => {
  const { game, columns, order } = props
  const [, setSearch] = usePageSearch()
  return (
    <Group mb="sm" gap="xs">
      <FoundSelect
        aria-label={texts.game}
        placeholder={texts.game}
        clearable
        operation={arenaGameChoices}
        choicesOf={({ arenaGames }) =>
          arenaGames.nodes.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
        }
        known={game}
        value={game?.value ?? null}
        onChange={(id) => setSearch({ game: id ?? undefined, after: undefined, before: undefined })}
        w={{ base: '100%', xs: 240 }}
      />
      <ChoiceField label={texts.status} name="status" values={sessionStatuses} />
      <ListTools name="sessions" columns={columns} order={order} filters={['game', 'status']} />
    </Group>
  )
}

/** The sessions of all games of the developer. The URL holds the open one. */
export const SessionsPage = () => {
  const [search, setSearch] = usePageSearch()
  const { game, session } = search
  const status = chosen(search['status'], sessionStatuses)
  const order = orderOf(search, sessionOrders, 'CREATED_AT')
  const columns = columnsOf((id) => setSearch({ session: id }))
  const variables = {
    ...pageOf(search, 25),
    filter: { ...(game && { arenaGame: { id: game } }), ...(status && { statuses: [status] }) },
    orderBy: order,
    game: game ?? '',
    isOfGame: Boolean(game),
  }
  const query = usePage(arenaSessions, variables, { refreshMs: 15_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={arenaSessions}
      variables={variables}
      asked={query}
    >
      {({ arenaSessions: sessions, arenaGame }) => (
        <>
          <Filters
            game={game ? { value: game, label: arenaGame?.name ?? game } : undefined}
            columns={columns}
            order={order}
          />
          <ConnectionTable
            label={texts.title}
            name="sessions"
            order={order}
            of={sessions}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(game ?? status)}
            empty={
              <EmptyState
                icon={IconClock}
                text={texts.empty}
                action={<PageButton page="arena-games">{texts.toGames}</PageButton>}
              />
            }
          />
          <SessionDrawer id={session} onClose={() => setSearch({ session: undefined })} />
        </>
      )}
    </Page>
  )
}
