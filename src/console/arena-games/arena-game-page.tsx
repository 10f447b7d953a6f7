import { Alert, Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { oneArenaGame } from '../../generated/operations/arena-game.ts'
import type { OneArenaGameQuery } from '../../generated/operations/types.ts'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { chosen } from '../parts/choice-field.tsx'
import { column, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { Facts } from '../parts/facts.tsx'
import { humanized, numberText, percentText, timeText } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { Status } from '../parts/status.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { ArenaGameActions } from './arena-game-actions.tsx'
import { GameSessions, sessionStatuses } from './game-sessions.tsx'

type Shown = NonNullable<OneArenaGameQuery['arenaGame']>
type Build = NonNullable<Shown['builds']>[number]

const builds: Column<Build>[] = [
  column(texts.buildNumber, ({ buildNo, version, buildUrl }) => (
    <Anchor href={buildUrl} target="_blank" rel="noreferrer noopener" size="sm">
      #{buildNo} {version}
    </Anchor>
  )),
  statusColumn(texts.verdict, ({ verdict }) => verdict ?? 'PENDING_REVIEW'),
  column(texts.reviewNotes, ({ reviewNotes }) => reviewNotes),
  timeColumn(texts.submittedAt, ({ submittedAt }) => submittedAt),
  timeColumn(texts.reviewedAt, ({ reviewedAt }) => reviewedAt),
]

const seats = ({ minPlayers, maxPlayers }: Shown) =>
  minPlayers === maxPlayers ? String(maxPlayers) : `${minPlayers}–${maxPlayers}`

const GameFacts = ({ of }: { of: Shown }) => (
  <Panel title={texts.game}>
    <Facts
      of={[
        [texts.gameDescription, of.description],
        [texts.category, humanized(of.category)],
        [texts.engine, humanized(of.engine)],
        [texts.mode, humanized(of.playerMode)],
        [texts.players, seats(of)],
        [texts.entryFee, of.entryFee > 0 && texts.points(numberText(of.entryFee))],
        [texts.revenueRate, percentText(of.developerRevenueRate)],
        [texts.resultPolicy, of.resultPolicy && humanized(of.resultPolicy)],
        [texts.slug, of.slug],
        [texts.submittedAt, timeText(of.createdAt)],
      ]}
    />
  </Panel>
)

const GameView = ({ of, isFiltered }: { of: Shown; isFiltered: boolean }) => (
  <Stack>
    <SimpleGrid cols={{ base: 2, sm: 3 }}>
      <StatCard label={texts.completedSessions} value={of.sessionCount} />
      <StatCard label={texts.players} value={of.playerCount} />
      <StatCard label={texts.earned} value={of.earnedPoints} />
    </SimpleGrid>
    <GameFacts of={of} />
    <GameSessions of={of.sessions} isFiltered={isFiltered} />
    <Panel title={texts.builds} isFramed={false}>
      <ConnectionTable
        label={texts.builds}
        of={{ nodes: of.builds ?? [] }}
        columns={builds}
        idOf={({ buildNo }) => String(buildNo)}
        empty={texts.noBuilds}
      />
    </Panel>
  </Stack>
)

/** One game of the arena: its builds and their reviews, and its sessions with their prizes. */
export const ArenaGamePage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const status = chosen(search['status'], sessionStatuses)
  const variables = { by: { id }, ...pageOf(search, 25), ...(status && { filter: { status } }) }
  const asked = usePage(oneArenaGame, variables)
  const found = asked.data?.arenaGame
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.name ?? texts.game}
          {found?.status && <Status of={found.status} />}
        </Group>
      }
      name={found?.name ?? texts.game}
      actions={found && <ArenaGameActions of={found} />}
      operation={oneArenaGame}
      variables={variables}
      asked={asked}
    >
      {({ arenaGame }) =>
        arenaGame ? (
          <GameView of={arenaGame} isFiltered={status !== undefined} />
        ) : (
          <Alert color="gray">{texts.noSuchGame}</Alert>
        )
      }
    </Page>
  )
}
