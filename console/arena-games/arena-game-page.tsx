import { Anchor, Badge, Group, SimpleGrid, Stack } from '@mantine/core'
import { PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useViewer } from '../client/viewer.tsx'
import { oneArenaGame } from '../generated/arena-game.ts'
import type { ArenaGameDetailsFragment } from '../generated/types.ts'
import { chosen } from '../parts/choice-field.tsx'
import { column, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { Facts } from '../parts/facts.tsx'
import { humanized, numberText, percentText, timeText } from '../parts/formats.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { Status } from '../parts/status.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { ArenaGameActions } from './arena-game-actions.tsx'
import { GameSessions, sessionStatuses } from './game-sessions.tsx'
import { OperatorGameActions } from './operator-game-actions.tsx'

type Shown = ArenaGameDetailsFragment
type Build = NonNullable<Shown['builds']>[number]

const builds: Column<Build>[] = [
  column(texts.buildNumber, ({ number, version, buildUrl }) => (
    <Anchor href={buildUrl} target="_blank" rel="noreferrer noopener" size="sm">
      #{number} {version}
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
        [texts.developer, of.partner.name],
        [texts.gameDescription, of.description],
        [texts.category, humanized(of.category)],
        [texts.engine, humanized(of.engine)],
        [texts.mode, humanized(of.playerMode)],
        [texts.players, seats(of)],
        [texts.entryFee, of.entryFee > 0 && numberText(of.entryFee)],
        [texts.revenueRate, percentText(of.developerRevenueRate)],
        [texts.resultPolicy, of.resultPolicy && texts.resultPolicies[of.resultPolicy]],
        [
          texts.shared,
          of.isShareable && of.buildUrl !== null && (
            <PageLink key="accept" page="acceptances" search={{ accept: of.id }} size="sm">
              {texts.toAcceptance}
            </PageLink>
          ),
        ],
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
        of={{ nodes: of.builds }}
        columns={builds}
        idOf={({ number }) => String(number)}
        empty={texts.noBuilds}
      />
    </Panel>
  </Stack>
)

/** One arena game: its builds, reviews, sessions and prizes. Operators see the games of all developers. */
export const ArenaGamePage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const status = chosen(search['status'], sessionStatuses)
  const isOperator = useViewer().member?.isOperator === true
  const filter = status && { filter: { statuses: [status] } }
  const variables = { by: { id }, isOperator, ...pageOf(search, 25), ...filter }
  const query = usePage(oneArenaGame, variables)
  const own = query.data?.arenaGame
  const found = own ?? query.data?.platform?.arenaGame
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.name ?? texts.game}
          {found?.status && <Status of={found.status} />}
          {found?.isFeatured && <Badge color="grape">{texts.featured}</Badge>}
        </Group>
      }
      name={found?.name ?? texts.game}
      actions={
        <>
          {own && <ArenaGameActions of={own} />}
          {found && <OperatorGameActions of={found} isOwn={Boolean(own)} />}
        </>
      }
      operation={oneArenaGame}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchGame}
    >
      {() =>
        found ? (
          <GameView of={found} isFiltered={status !== undefined} />
        ) : (
          <NoSuch text={texts.noSuchGame} />
        )
      }
    </Page>
  )
}
