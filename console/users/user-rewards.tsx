import { Group, Skeleton } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import type { UserGrantsQuery } from '../generated/types.ts'
import { userGrants } from '../generated/user.ts'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconMedal } from '../parts/icons.ts'
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

const Given = ({ userId, of }: { userId: string; of: Grants }) => (
  <>
    {of.nodes.length > 0 && (
      <Group justify="flex-end" mb="sm">
        <GiveRewardButton userId={userId} />
      </Group>
    )}
    <ConnectionTable
      label={usersTexts.tabs.rewards}
      of={of}
      columns={columns}
      idOf={({ id }) => id}
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

/** What the user has been given, and a button that gives more. */
export const UserRewards = ({ userId }: { userId: string }) => {
  const [search] = usePageSearch()
  const variables = { by: { id: userId }, ...pageOf(search, 25) }
  const { data, error, refetch } = usePage(userGrants, variables)
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  const grants = data?.user?.grants
  return grants ? <Given userId={userId} of={grants} /> : <Skeleton h={200} aria-busy />
}
