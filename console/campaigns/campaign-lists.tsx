import { Group, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { batchColumns } from '../codes/batch-columns.tsx'
import { NewCodes } from '../codes/new-codes.tsx'
import { ExportList } from '../exports/export-list.tsx'
import type { CampaignQuery } from '../generated/types.ts'
import { column, numberColumn, timeColumn } from '../parts/columns.tsx'
import { Command } from '../parts/command.tsx'
import { campaignEventCommand } from '../parts/commands.ts'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconConfetti, IconTicket, IconUsers, IconUsersPlus } from '../parts/icons.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { campaignsTexts, campaignResultsTexts as texts } from '../texts/campaigns-texts.ts'
import { codesTexts } from '../texts/codes-texts.ts'
import { grantsTexts } from '../texts/rewards-texts.ts'

export type ShownCampaign = NonNullable<CampaignQuery['campaign']>

type Node<Name extends 'leaderboard' | 'instantWins' | 'referrals'> = NonNullable<
  ShownCampaign[Name]
>['nodes'][number]

const leaders: Column<Node<'leaderboard'>>[] = [
  numberColumn(texts.rank, ({ rank }) => rank),
  column(texts.user, ({ participant }) => <UserLink of={participant.user} />),
  numberColumn(texts.points, ({ participant }) => participant.campaignPoints),
  numberColumn(texts.events, ({ participant }) => participant.eventCount),
  numberColumn(texts.wins, ({ participant }) => participant.winCount),
  numberColumn(texts.referrals, ({ participant }) => participant.referralCount),
  timeColumn(texts.since, ({ participant }) => participant.joinedAt),
]

type Win = Node<'instantWins'>

const wins: Column<Win>[] = [
  timeColumn(texts.time, ({ wonAt }) => wonAt),
  column(texts.user, ({ user }) => <UserLink of={user} />),
  column(texts.prize, ({ prizeTier }) => prizeTier.name),
  numberColumn(texts.points, ({ points }) => points),
  timeColumn(texts.redeemedAt, ({ redeemedAt }) => redeemedAt),
  column(texts.prizeReward, ({ grant }) => grant && <GrantState of={grant} />),
  timeColumn(texts.codeExpires, ({ redeemedAt, expiresAt }) => (redeemedAt ? null : expiresAt)),
]

/** The reward that a prize has given, and how far it is: handed out when, or what is still to be done. */
const GrantState = ({ of: { status, fulfilledAt, reward } }: { of: NonNullable<Win['grant']> }) => (
  <>
    <PageLink page="rewards" id={reward.id} size="sm">
      {reward.name}
    </PageLink>
    <Group gap={6}>
      <Status of={status} label={grantsTexts.statuses[status]} />
      {fulfilledAt && (
        <Text size="xs" c="dimmed">
          <RelativeTime at={fulfilledAt} />
        </Text>
      )}
    </Group>
  </>
)

const referrals: Column<Node<'referrals'>>[] = [
  timeColumn(texts.time, ({ createdAt }) => createdAt),
  column(texts.referrer, ({ referrer }) => <UserLink of={referrer} />),
  column(texts.referee, ({ referee }) => <UserLink of={referee} />),
  numberColumn(texts.referrerReward, ({ referrerPoints }) => referrerPoints),
  numberColumn(texts.refereeReward, ({ refereePoints }) => refereePoints),
]

/** The next step of a campaign without participants. */
const firstStep = ({ status, slug, eventRules: [rule] }: ShownCampaign) => {
  if (status === 'DRAFT') return { text: texts.startFirst }
  if (status !== 'ACTIVE' || !rule) return { text: texts.noParticipants }
  const action = <Command text={campaignEventCommand(slug, rule.eventType)} />
  return { text: texts.firstEvent, action }
}

/** The participants, best first. */
export const CampaignLeaderboard = ({ of }: { of: ShownCampaign }) =>
  of.leaderboard ? (
    <ConnectionTable
      label={campaignsTexts.tabs.participants}
      of={of.leaderboard}
      columns={leaders}
      idOf={({ participant }) => participant.id}
      empty={<EmptyState icon={IconUsers} {...firstStep(of)} />}
    />
  ) : (
    <PageSkeleton />
  )

export const CampaignWins = ({ of }: { of: ShownCampaign }) =>
  of.instantWins ? (
    <>
      {of.instantWins.nodes.length > 0 && (
        <Group mb="sm">
          <ListTools name="wins" columns={wins} filters={[]}>
            <ExportList kind="INSTANT_WINS" filter={{ campaignId: of.id }} />
          </ListTools>
        </Group>
      )}
      <ConnectionTable
        name="wins"
        label={campaignsTexts.tabs.wins}
        of={of.instantWins}
        columns={wins}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={IconConfetti}
            text={of.instantWinRules ? texts.noWins : texts.noInstantWin}
          />
        }
      />
    </>
  ) : (
    <PageSkeleton />
  )

export const CampaignReferrals = ({ of }: { of: ShownCampaign }) =>
  of.referrals ? (
    <ConnectionTable
      label={campaignsTexts.tabs.referrals}
      of={of.referrals}
      columns={referrals}
      idOf={({ id }) => id}
      empty={<EmptyState icon={IconUsersPlus} text={texts.noReferrals} />}
    />
  ) : (
    <PageSkeleton />
  )

const batches = batchColumns.filter(({ title }) => title !== codesTexts.campaign)

/** The code batches of this campaign, and a button that creates more. */
export const CampaignCodes = ({ of }: { of: ShownCampaign }) =>
  of.codeBatches ? (
    <>
      {of.codeBatches.nodes.length > 0 && of.phase !== 'ENDED' && (
        <Group justify="flex-end" mb="sm">
          <NewCodes campaignId={of.id} />
        </Group>
      )}
      <ConnectionTable
        label={campaignsTexts.tabs.codes}
        of={of.codeBatches}
        columns={batches}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={IconTicket}
            text={texts.noCodes}
            action={of.phase !== 'ENDED' && <NewCodes campaignId={of.id} />}
          />
        }
      />
    </>
  ) : (
    <PageSkeleton />
  )
