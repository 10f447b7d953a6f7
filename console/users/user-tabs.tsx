import { Group, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from '../client/link.tsx'
import { ExportList } from '../exports/export-list.tsx'
import type { UserQuery } from '../generated/types.ts'
import { ledgerColumns } from '../ledger/ledger-columns.tsx'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { humanized } from '../parts/formats.ts'
import { PageTabs } from '../parts/page-tabs.tsx'
import { PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { CheckedPlay } from './checked-play.tsx'
import { UserGoals } from './user-goals.tsx'
import { UserRewards } from './user-rewards.tsx'
import { UserStreaks } from './user-streaks.tsx'

type Shown = NonNullable<UserQuery['user']>
type ListName = 'plays' | 'activities' | 'participants' | 'offers' | 'lotteryTickets'
type Node<Name extends ListName> = NonNullable<Shown[Name]>['nodes'][number]
type StageMove = NonNullable<Shown['journey']['stageChanges']>['nodes'][number]

export const userTabs = [
  'ledger',
  'goals',
  'streaks',
  'rewards',
  'plays',
  'timeline',
  'campaigns',
  'offers',
  'tickets',
  'stages',
] as const
export type UserTab = (typeof userTabs)[number]

const ledger = ledgerColumns()

const plays: Column<Node<'plays'>>[] = [
  timeColumn(texts.time, ({ playedAt }) => playedAt),
  column(texts.game, ({ gameType }) => humanized(gameType)),
  numberColumn(texts.spent, ({ pointsSpent }) => pointsSpent),
  column(texts.reward, ({ reward }) => reward.label),
  column(texts.proof, (play) => <CheckedPlay of={play} />),
]

const timeline: Column<Node<'activities'>>[] = [
  timeColumn(texts.time, ({ occurredAt }) => occurredAt),
  column(texts.category, ({ category }) => humanized(category)),
  column(texts.event, ({ eventType }) => eventType),
  numberColumn(texts.points, ({ points }) => points),
]

const campaigns: Column<Node<'participants'>>[] = [
  column(texts.campaign, ({ campaign }) => (
    <PageLink page="campaigns" id={campaign.id} size="sm">
      {campaign.name}
    </PageLink>
  )),
  numberColumn(texts.points, ({ campaignPoints }) => campaignPoints),
  numberColumn(texts.rank, ({ rank }) => rank ?? '–'),
  numberColumn(texts.wins, ({ winCount }) => winCount),
  timeColumn(texts.since, ({ joinedAt }) => joinedAt),
]

const offers: Column<Node<'offers'>>[] = [
  column(texts.offer, ({ title }) => title),
  statusColumn(texts.status, ({ status }) => status),
  numberColumn(texts.value, ({ points }) => points),
  timeColumn(texts.expires, ({ expiresAt }) => expiresAt),
]

const tickets: Column<Node<'lotteryTickets'>>[] = [
  column(texts.lottery, ({ lottery }) => (
    <PageLink page="lotteries" id={lottery.id} size="sm">
      {lottery.name}
    </PageLink>
  )),
  statusColumn(texts.status, ({ status }) => status),
  timeColumn(texts.time, ({ createdAt }) => createdAt),
]

const stages: Column<StageMove>[] = [
  timeColumn(texts.time, ({ changedAt }) => changedAt),
  column(texts.from, ({ previousStage }) => previousStage && <Status of={previousStage} />),
  statusColumn(texts.to, ({ stage }) => stage),
]

/** A tab whose rows have a time: they can be filtered by it, and exported where there is an export of their kind. */
const Timed = (props: { userId: string; kind?: 'LEDGER' | 'PLAYS'; children: ReactNode }) => {
  const { userId, kind, children } = props
  const period = useListPeriod()
  const filter = { user: { id: userId }, ...(period && { createdAt: rangeOf(period) }) }
  return (
    <>
      <Group mb="sm" gap="xs">
        <PeriodField of={period} />
        {kind && <ExportList kind={kind} filter={filter} />}
      </Group>
      {children}
    </>
  )
}

/** The rows of a tab, or a placeholder until they are loaded. */
const table = <Row extends { id: string }>(
  tab: UserTab,
  of: Parameters<typeof ConnectionTable<Row>>[0]['of'] | undefined,
  columns: Column<Row>[],
  isFiltered = false,
) =>
  of ? (
    <ConnectionTable
      label={texts.tabs[tab]}
      of={of}
      columns={columns}
      idOf={({ id }) => id}
      isFiltered={isFiltered}
      empty={texts.nothingYet}
    />
  ) : (
    <Skeleton h={200} />
  )

/** The activity of the user, newest first. Only the list of the selected tab is queried. */
export const UserTabs = ({ of, tab }: { of: Shown; tab: UserTab }) => {
  const isFiltered = useListPeriod() !== null
  const lists: Record<UserTab, ReactNode> = {
    ledger: (
      <Timed userId={of.id} kind="LEDGER">
        {table('ledger', of.ledgerEntries, ledger, isFiltered)}
      </Timed>
    ),
    goals: of.goals ? <UserGoals of={of.goals} /> : <Skeleton h={200} />,
    streaks: of.streaks ? <UserStreaks userId={of.id} of={of.streaks} /> : <Skeleton h={200} />,
    rewards: <UserRewards userId={of.id} />,
    plays: (
      <Timed userId={of.id} kind="PLAYS">
        {table('plays', of.plays, plays, isFiltered)}
      </Timed>
    ),
    timeline: (
      <Timed userId={of.id}>{table('timeline', of.activities, timeline, isFiltered)}</Timed>
    ),
    campaigns: table('campaigns', of.participants, campaigns),
    offers: table('offers', of.offers, offers),
    tickets: table('tickets', of.lotteryTickets, tickets),
    stages: table('stages', of.journey.stageChanges, stages),
  }
  return (
    <PageTabs names={userTabs} labels={texts.tabs} shown={tab}>
      {lists[tab]}
    </PageTabs>
  )
}
