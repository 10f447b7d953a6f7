import { Group, SimpleGrid } from '@mantine/core'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { user } from '../generated/user.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { useTab } from '../parts/page-tabs.tsx'
import { rangeOf, useListPeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { Status } from '../parts/status.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { AdjustPointsButton } from './adjust-points.tsx'
import { BlockUserButton } from './block-user.tsx'
import { EraseUserButton } from './erase-user.tsx'
import { ExportUserButton } from './export-user.tsx'
import { MakeOffer } from './make-offer.tsx'
import { RevokeTokensButton } from './revoke-tokens.tsx'
import { UserBlockBanner } from './user-block-banner.tsx'
import { UserNotes } from './user-notes.tsx'
import { UserProfile } from './user-profile.tsx'
import { UserTabs, userTabs } from './user-tabs.tsx'

/** Everything about one user. */
// Long: one part of the page after the other.
export const UserPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const tab = useTab(userTabs)
  const period = useListPeriod()
  const variables = {
    by: { id },
    ...pageOf(search, 20),
    period: period && rangeOf(period),
    isLedger: tab === 'ledger',
    isGoals: tab === 'goals',
    isStreaks: tab === 'streaks',
    isPlays: tab === 'plays',
    isTimeline: tab === 'timeline',
    isCampaigns: tab === 'campaigns',
    isOffers: tab === 'offers',
    isTickets: tab === 'tickets',
    isStages: tab === 'stages',
  }
  const query = usePage(user, variables)
  const found = query.data?.user
  const name = found ? (found.displayName ?? found.externalId) : texts.user
  return (
    <Page
      title={
        <Group gap="sm">
          {name}
          {found && <Status of={found.journey.stage} />}
          {found && <Status of={found.journey.engagementTier} />}
        </Group>
      }
      name={name}
      actions={
        found && (
          <>
            {!found.block && <BlockUserButton userId={id} name={name} />}
            <AdjustPointsButton userId={id} name={found.externalId} />
            <MakeOffer userId={id} />
            <ExportUserButton userId={id} name={found.externalId} />
            <RevokeTokensButton userId={id} name={found.externalId} />
            <EraseUserButton userId={id} name={found.externalId} />
          </>
        )
      }
      operation={user}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchUser}
    >
      {({ user: shown }) =>
        shown ? (
          <>
            <UserBlockBanner userId={id} of={shown.block} />
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mb="md">
              <StatCard label={texts.balance} value={shown.balance} />
              <StatCard label={texts.lifetimePoints} value={shown.lifetimePoints} />
              <StatCard label={texts.rank} value={shown.rank ?? '–'} />
              <StatCard label={texts.plays} value={shown.playCount} />
              <StatCard label={texts.engagement} value={shown.journey.engagementScore} />
            </SimpleGrid>
            <UserProfile of={shown} />
            <UserNotes userId={id} of={shown.notes} />
            <UserTabs of={shown} tab={tab} />
          </>
        ) : (
          <NoSuch text={texts.noSuchUser} />
        )
      }
    </Page>
  )
}
