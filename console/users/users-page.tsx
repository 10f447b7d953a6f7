import { Group } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import type { UserRowFragment } from '../generated/types.ts'
import { users } from '../generated/users.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconUsers } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

const stages = ['NEW', 'ACTIVE', 'ENGAGED', 'POWER_USER', 'AT_RISK', 'CHURNED'] as const
const tiers = ['CASUAL', 'REGULAR', 'POWER_USER', 'WHALE'] as const

const columns: Column<UserRowFragment>[] = [
  column(texts.user, (user) => <UserLink of={user} />),
  numberColumn(texts.balance, ({ balance }) => balance),
  numberColumn(texts.lifetimePoints, ({ lifetimePoints }) => lifetimePoints),
  statusColumn(texts.stage, ({ journey }) => journey.lifecycleStage),
  statusColumn(texts.tier, ({ journey }) => journey.engagementTier),
  timeColumn(texts.lastSeen, ({ journey }) => journey.lastSeenAt),
  timeColumn(texts.since, ({ createdAt }) => createdAt),
]

export const UsersPage = () => {
  const [search] = usePageSearch()
  const stage = chosen(search['stage'], stages)
  const tier = chosen(search['tier'], tiers)
  const isByJourney = stage !== undefined || tier !== undefined
  const variables = {
    ...pageOf(search, 25),
    isByJourney,
    ...(isByJourney && { journey: { ...(stage && { stage }), ...(tier && { tier }) } }),
    ...(!isByJourney && search['search'] && { filter: { search: search['search'] } }),
  }
  const asked = usePage(users, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={users}
      variables={variables}
      asked={asked}
    >
      {(data) => {
        const found = data.usersByJourney ?? data.users
        return (
          <>
            <Group gap="xs" mb="sm">
              {!isByJourney && <SearchField label={texts.search} />}
              <ChoiceField label={texts.stage} name="stage" values={stages} />
              <ChoiceField label={texts.tier} name="tier" values={tiers} />
            </Group>
            {found && (
              <ConnectionTable
                label={texts.title}
                of={found}
                columns={columns}
                idOf={({ id }) => id}
                isFiltered={isByJourney || search['search'] !== undefined}
                empty={<EmptyState icon={IconUsers} text={texts.empty} />}
              />
            )}
          </>
        )
      }}
    </Page>
  )
}
