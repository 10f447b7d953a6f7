import { Group, Skeleton } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import type { UserGrantsQuery } from '../generated/types.ts'
import { userGrants } from '../generated/user.ts'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconMedal } from '../parts/icons.ts'
import { type Period, PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { GrantActions } from '../rewards/grant-actions.tsx'
import { grantColumns } from '../rewards/grant-columns.tsx'
import { RewardLabel, worthOf } from '../rewards/reward-name.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'
import { usersTexts } from '../texts/users-texts.ts'
import { GiveRewardButton } from './give-reward.tsx'

type Grants = NonNullable<NonNullable<UserGrantsQuery['user']>['grants']>
type Grant = Grants['nodes'][number]

const columns: Column<Grant>[] = [
  column(texts.reward, ({ reward }) => (
    <PageLink page="rewards" id={reward.id} fw={600}>
      <RewardLabel of={reward} />
    </PageLink>
  )),
  // The points of the grant, which those of the reward may have left.
  column(texts.worth, ({ reward, points }) => worthOf({ ...reward, points })),
  ...grantColumns<Grant>(),
  menuColumn(
    ({ reward }) => reward.name,
    (grant) => <GrantActions of={grant} />,
  ),
]

const Given = (props: { userId: string; of: Grants; period: Period | null }) => {
  const { userId, of, period } = props
  const filter = { user: { id: userId }, ...(period && { createdAt: rangeOf(period) }) }
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Group gap="xs">
          <PeriodField of={period} />
          <ExportList kind="GRANTS" filter={filter} />
        </Group>
        {of.nodes.length > 0 && <GiveRewardButton userId={userId} />}
      </Group>
      <ConnectionTable
        label={usersTexts.tabs.rewards}
        of={of}
        columns={columns}
        idOf={({ id }) => id}
        isFiltered={period !== null}
        empty={
          <EmptyState
            icon={IconMedal}
            text={texts.none}
            action={<GiveRewardButton userId={userId} />}
          />
        }
      />
    </>
  )
}

/** What the user has been given, and a button that gives more. */
export const UserRewards = ({ userId }: { userId: string }) => {
  const [search] = usePageSearch()
  const period = useListPeriod()
  const range = period && rangeOf(period)
  const variables = { by: { id: userId }, ...pageOf(search, 25), period: range }
  const { data, error, refetch } = usePage(userGrants, variables)
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  const grants = data?.user?.grants
  return grants ? (
    <Given userId={userId} of={grants} period={period} />
  ) : (
    <Skeleton h={200} aria-busy />
  )
}
