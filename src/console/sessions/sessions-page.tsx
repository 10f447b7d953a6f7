import { Group } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { arenaSessions } from '../../generated/operations/sessions.ts'
import type { ArenaSessionsQuery } from '../../generated/operations/types.ts'
import { sessionColumns, sessionStatuses } from '../arena-games/game-sessions.tsx'
import { SessionDrawer } from '../arena-games/session-drawer.tsx'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Page } from '../parts/page.tsx'
import { sessionsTexts as texts } from '../texts/sessions-texts.ts'

type Row = ArenaSessionsQuery['arenaSessions']['nodes'][number]
type Game = ArenaSessionsQuery['arenaGames']['nodes'][number]

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

const Filters = ({ games }: { games: readonly Game[] }) => (
  <Group mb="sm" gap="xs">
    <ChoiceField
      label={texts.game}
      name="game"
      values={games.map(({ id }) => id)}
      labelOf={(id) => games.find((game) => game.id === id)?.name ?? id}
    />
    <ChoiceField label={texts.status} name="status" values={sessionStatuses} />
  </Group>
)

/** The sessions of all games of the developer. The address keeps which one is open. */
export const SessionsPage = () => {
  const [search, setSearch] = usePageSearch()
  const { game, session } = search
  const status = chosen(search['status'], sessionStatuses)
  const variables = {
    ...pageOf(search, 25),
    filter: { ...(game && { game }), ...(status && { status }) },
  }
  const asked = usePage(arenaSessions, variables, { refreshMs: 15_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={arenaSessions}
      variables={variables}
      asked={asked}
    >
      {({ arenaSessions: sessions, arenaGames }) => (
        <>
          <Filters games={arenaGames.nodes} />
          <ConnectionTable
            label={texts.title}
            of={sessions}
            columns={columnsOf((id) => setSearch({ session: id }))}
            idOf={({ id }) => id}
            isFiltered={Boolean(game ?? status)}
            empty={
              <EmptyState
                icon={IconClock}
                text={texts.empty}
                action={<PageLink page="arena-games">{texts.toGames}</PageLink>}
              />
            }
          />
          <SessionDrawer id={session} onClose={() => setSearch({ session: undefined })} />
        </>
      )}
    </Page>
  )
}
