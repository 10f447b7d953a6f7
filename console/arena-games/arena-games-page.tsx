import { Group, SimpleGrid, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { arenaGames } from '../generated/arena-games.ts'
import type { ArenaGamesQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, sortable, statusColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconTrophy } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { SubmitGame } from './submit-game.tsx'

type Row = ArenaGamesQuery['arenaGames']['nodes'][number]

const statuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED'] as const

const orders = {
  NAME: 'ASC',
  CREATED_AT: 'DESC',
  SESSION_COUNT: 'DESC',
  PLAYER_COUNT: 'DESC',
  EARNED_POINTS: 'DESC',
} as const
const filterNames = ['status']

const columns: Column<Row>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.game, ({ id, name, slug }) => (
      <>
        <PageLink page="arena-games" id={id} size="sm" fw={600}>
          {name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </>
    )),
  ),
  column(texts.category, ({ category }) => humanized(category)),
  statusColumn(texts.status, ({ status }) => status ?? ''),
  column(texts.build, ({ newestBuild }) =>
    newestBuild ? (
      <>
        <Text size="sm">
          #{newestBuild.number} {newestBuild.version}
        </Text>
        {newestBuild.reviewNotes && (
          <Text size="xs" c="dimmed" maw={260}>
            {newestBuild.reviewNotes}
          </Text>
        )}
      </>
    ) : null,
  ),
  sortable(
    orders,
    'SESSION_COUNT',
    numberColumn(texts.sessions, ({ sessionCount }) => sessionCount),
  ),
  sortable(
    orders,
    'PLAYER_COUNT',
    numberColumn(texts.players, ({ playerCount }) => playerCount),
  ),
  sortable(
    orders,
    'EARNED_POINTS',
    numberColumn(texts.earned, ({ earnedPoints }) => earnedPoints),
  ),
]

export const ArenaGamesPage = () => {
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(search, 25),
    filter: status ? { statuses: [status] } : {},
    orderBy: order,
  }
  const query = usePage(arenaGames, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<SubmitGame />}
      operation={arenaGames}
      variables={variables}
      asked={query}
    >
      {({ arenaGames: games, arenaEarningsTotal }) => (
        <>
          <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
            <StatCard label={texts.total} value={arenaEarningsTotal.points} />
            <StatCard label={texts.totalSessions} value={arenaEarningsTotal.sessionCount} />
          </SimpleGrid>
          <Group mb="sm">
            <ChoiceField label={texts.status} name="status" values={statuses} />
            <ListTools name="arena-games" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="arena-games"
            order={order}
            of={games}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={status !== undefined}
            empty={<EmptyState icon={IconTrophy} text={texts.empty} action={<SubmitGame />} />}
          />
        </>
      )}
    </Page>
  )
}
