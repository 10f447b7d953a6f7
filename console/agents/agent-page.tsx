import { Alert, Anchor, Group, Paper, SimpleGrid, Title } from '@mantine/core'
import { usePageId } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useViewer } from '../client/viewer.tsx'
import { agent } from '../generated/agent.ts'
import type { AgentDetailsFragment } from '../generated/types.ts'
import { column, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { shortTimeText, wholePercentText } from '../parts/formats.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { Status } from '../parts/status.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { AgentActions } from './agent-actions.tsx'
import { OperatorAgentActions } from './operator-agent-actions.tsx'

type Shown = AgentDetailsFragment
type Match = Shown['recentMatches'][number]

const columns: Column<Match>[] = [
  column(texts.match, ({ uuid, agent1, agent2 }) => (
    <Anchor href={`/arena/matches/${uuid}`} target="_blank" rel="noopener" size="sm">
      {agent1.displayName} – {agent2.displayName}
    </Anchor>
  )),
  column(texts.game, ({ gameName }) => gameName),
  column(texts.status, ({ status }) => <Status of={status} />),
  column(texts.score, ({ agent1Score, agent2Score }) => `${agent1Score} : ${agent2Score}`),
  timeColumn(texts.time, ({ scheduledAt }) => scheduledAt),
]

const AgentView = ({ of }: { of: Shown }) => (
  <>
    {of.status === 'SUSPENDED' && (
      <Alert color="red" mb="md">
        {texts.suspendedHint}
      </Alert>
    )}
    {of.validationError && <Alert color="yellow">{of.validationError}</Alert>}
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} mb="md">
      <StatCard label={texts.rating} value={of.eloRating} />
      <StatCard
        label={texts.winRate}
        value={of.winRate === null ? '–' : wholePercentText(of.winRate)}
      />
      <StatCard label={texts.wins} value={of.wins} />
      <StatCard label={texts.losses} value={of.losses} />
      <StatCard label={texts.draws} value={of.draws} />
      <StatCard label={texts.supporters} value={of.supporterCount} />
    </SimpleGrid>
    <Paper withBorder p="md" mb="md">
      <Title order={2} size="h5" mb="sm">
        {texts.ratingChart}
      </Title>
      <TimeChart
        label={texts.ratingChart}
        isLevel
        timeLabel={shortTimeText}
        series={[
          {
            name: texts.rating,
            color: 'ember.6',
            buckets: [...of.ratingChanges.nodes]
              .sort((a, b) => a.number - b.number)
              .map(({ ratedAt, eloAfter }) => ({ startsAt: ratedAt, value: eloAfter })),
          },
        ]}
      />
    </Paper>
    <Title order={2} size="h5" mb="sm">
      {texts.recent}
    </Title>
    <ConnectionTable
      label={texts.recent}
      of={{ nodes: of.recentMatches }}
      columns={columns}
      idOf={({ id }) => id}
      empty={texts.noMatches}
    />
  </>
)

/** One agent: its rating, its matches, and whether it plays. Operators see the agents of all partners. */
export const AgentPage = () => {
  const id = usePageId()
  const variables = { id, isOperator: useViewer().member?.isOperator === true }
  // A draft becomes active by itself, once it has played its first match.
  const query = usePage(agent, variables, {
    refreshMs: (data) => (data?.arenaAgent?.status === 'DRAFT' ? 3_000 : 0),
  })
  const own = query.data?.arenaAgent
  const found = own ?? query.data?.platform?.arenaAgent
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.displayName ?? texts.agent}
          {found && <Status of={found.status} />}
        </Group>
      }
      name={found?.displayName ?? texts.agent}
      {...(found && !own && { description: texts.ownedBy(found.partnerName) })}
      actions={
        <>
          {own && <AgentActions of={own} />}
          {found && <OperatorAgentActions of={found} />}
        </>
      }
      operation={agent}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchAgent}
    >
      {() => (found ? <AgentView of={found} /> : <NoSuch text={texts.noSuchAgent} />)}
    </Page>
  )
}
