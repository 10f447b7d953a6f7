import { Group, SimpleGrid, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { arenaGames } from '../generated/arena-games.ts'
import type { ArenaGamesQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, statusColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconTrophy } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { SubmitGame } from './submit-game.tsx'

type Row = ArenaGamesQuery['arenaGames']['nodes'][number]

const statuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED'] as const

const columns: Column<Row>[] = [
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
  numberColumn(texts.sessions, ({ sessionCount }) => sessionCount),
  numberColumn(texts.players, ({ playerCount }) => playerCount),
  numberColumn(texts.earned, ({ earnedPoints }) => earnedPoints),
]

export const ArenaGamesPage = () => {
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const variables = { ...pageOf(search, 25), filter: status ? { statuses: [status] } : {} }
  const asked = usePage(arenaGames, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<SubmitGame />}
      operation={arenaGames}
      variables={variables}
      asked={asked}
    >
      {({ arenaGames: games, arenaEarningsTotal }) => (
        <>
          <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
            <StatCard label={texts.total} value={arenaEarningsTotal.points} />
            <StatCard label={texts.totalSessions} value={arenaEarningsTotal.sessionCount} />
          </SimpleGrid>
          <Group mb="sm">
            <ChoiceField label={texts.status} name="status" values={statuses} />
          </Group>
          <ConnectionTable
            label={texts.title}
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
