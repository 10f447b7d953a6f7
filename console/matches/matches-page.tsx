import { Anchor, Group, Text } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { PageButton, usePageSearch } from '../client/link.tsx'
import { useLive } from '../client/live.ts'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { cancelArenaMatch, matchChanges, matches } from '../generated/matches.ts'
import type { MatchesQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import {
  column,
  menuColumn,
  numberColumn,
  sortable,
  statusColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconSwords } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { matchesTexts as texts } from '../texts/matches-texts.ts'
import { ScheduleMatch } from './schedule-match.tsx'

type Row = MatchesQuery['arenaMatches']['nodes'][number]

const statuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const

const nameOf = ({ agent1, agent2 }: Row) => `${agent1.displayName} – ${agent2.displayName}`

const Actions = ({ of }: { of: Row }) => {
  const cancel = useChange(cancelArenaMatch)
  return (
    <>
      <Anchor href={`/arena/matches/${of.uuid}`} target="_blank" rel="noopener" size="sm">
        {texts.watch}
      </Anchor>
      {(of.status === 'SCHEDULED' || of.status === 'IN_PROGRESS') && (
        <DangerButton
          right="ARENA_WRITE"
          size="xs"
          label={texts.cancel}
          explanation={texts.cancelExplanation}
          name={nameOf(of)}
          act={() => cancel.mutateAsync({ input: { arenaMatchId: of.id } })}
          done={texts.cancelled}
        />
      )}
    </>
  )
}

const orders = { CREATED_AT: 'DESC' } as const

const columns: Column<Row>[] = [
  column(texts.match, (row) => (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {nameOf(row)}
    </Text>
  )),
  column(texts.game, ({ gameName }) => gameName),
  column(texts.kind, ({ matchType }) => humanized(matchType)),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.score, ({ agent1Score, agent2Score }) => `${agent1Score} : ${agent2Score}`),
  timeColumn(texts.time, ({ startedAt, scheduledAt }) => startedAt ?? scheduledAt),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
  numberColumn(texts.spectators, ({ spectatorCount }) => spectatorCount),
  menuColumn(nameOf, (row) => <Actions of={row} />),
]

export const MatchesPage = () => {
  const [search] = usePageSearch()
  const queries = useQueryClient()
  const status = chosen(search['status'], statuses)
  const period = useListPeriod()
  const order = orderOf(search, orders, 'CREATED_AT')
  const filter = {
    ...(status && { statuses: [status] }),
    ...(period && { createdAt: rangeOf(period) }),
  }
  const variables = { ...pageOf(search, 25), filter, orderBy: order }
  const query = usePage(matches, variables)
  const agents = query.data?.arenaAgents.nodes ?? []
  const [game, ...otherGames] = query.data?.arena.agentGames ?? []
  // The form cannot be filled in without an agent.
  const next =
    agents.length > 0 && game ? (
      <ScheduleMatch agents={agents} games={[game, ...otherGames]} />
    ) : (
      <PageButton page="agents">{texts.toAgents}</PageButton>
    )
  // Throttled: many simultaneous changes cause one refetch.
  const refresh = useThrottledCallback(() => queries.invalidateQueries(), 2_000)
  useLive(matchChanges, {}, refresh)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={query.data && next}
      operation={matches}
      variables={variables}
      asked={query}
    >
      {({ arenaMatches }) => (
        <>
          <Group mb="sm" gap="xs">
            <ChoiceField label={texts.status} name="status" values={statuses} />
            <PeriodField of={period} />
            <ListTools
              name="matches"
              columns={columns}
              order={order}
              filters={['status', 'period', 'from', 'to']}
            />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="matches"
            order={order}
            of={arenaMatches}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Object.keys(filter).length > 0}
            empty={<EmptyState icon={IconSwords} text={texts.empty} action={next} />}
          />
        </>
      )}
    </Page>
  )
}
