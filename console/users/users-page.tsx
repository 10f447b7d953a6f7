import { Badge, Group, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { ActOnUsers } from '../batches/act-on-users.tsx'
import { type Search, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import type { UserFilter, UserRowFragment } from '../generated/types.ts'
import { users } from '../generated/users.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { ChoosableCell, type Chosen, ChosenBar } from '../parts/chosen-rows.tsx'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconUsers } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { BlockUserButton } from './block-user.tsx'

/** Their dialogs are loaded after the list. */
const ChosenUsers = lazy(async () => ({
  default: (await import('./chosen-users.tsx')).ChosenUsers,
}))

const stages = ['NEW', 'ACTIVE', 'ENGAGED', 'POWER_USER', 'AT_RISK', 'CHURNED'] as const
const shown = ['BLOCKED', 'NOT_BLOCKED'] as const
const tiers = ['CASUAL', 'REGULAR', 'POWER_USER', 'WHALE'] as const

const columnsOf = (chosenRows: Chosen): Column<UserRowFragment>[] => [
  column(texts.user, (user) => (
    <Group gap="xs" wrap="nowrap">
      <ChoosableCell id={user.id} label={texts.choose(user.externalId)} chosen={chosenRows}>
        <UserLink of={user} />
      </ChoosableCell>
      {user.block && (
        <Badge color="red" variant="light">
          {texts.blocked}
        </Badge>
      )}
    </Group>
  )),
  numberColumn(texts.balance, ({ balance }) => balance),
  numberColumn(texts.lifetimePoints, ({ lifetimePoints }) => lifetimePoints),
  statusColumn(texts.stage, ({ journey }) => journey.stage),
  statusColumn(texts.tier, ({ journey }) => journey.engagementTier),
  timeColumn(texts.lastSeen, ({ journey }) => journey.lastSeenAt),
  timeColumn(texts.since, ({ createdAt }) => createdAt),
]

/** Blocks the only user who was found. */
const BlockOnly = ({ of: { id, block, displayName, externalId } }: { of: UserRowFragment }) =>
  !block && <BlockUserButton userId={id} name={displayName ?? externalId} />

/** Each order is an index of the API, with the highest or the latest first. */
const sorts = ['CREATED_AT', 'LAST_SEEN_AT', 'BALANCE', 'LIFETIME_POINTS', 'SCORE'] as const

/** The filter and the order in the URL. A search without an order is sorted by what matched. */
const listOf = (search: Search) => {
  const stage = chosen(search['stage'], stages)
  const tier = chosen(search['tier'], tiers)
  const sort = chosen(search['sort'], sorts)
  const block = chosen(search['block'], shown)
  const text = search['search']
  const filter: UserFilter = {
    ...(text && { search: text }),
    ...(stage && { stages: [stage] }),
    ...(tier && { engagementTiers: [tier] }),
    ...(block && { isBlocked: block === 'BLOCKED' }),
  }
  const isFiltered = Object.keys(filter).length > 0
  return {
    isFiltered,
    filter,
    /** What a batch of them is called. */
    name:
      [stage, tier]
        .filter((item) => item !== undefined)
        .map(humanized)
        .join(', ') || undefined,
    variables: {
      ...(isFiltered && { filter }),
      ...(sort && { orderBy: { field: sort, direction: 'DESC' as const } }),
    },
  }
}

export const UsersPage = () => {
  const [search] = usePageSearch()
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const chosenRows = { ids, set }
  const clear = () => set(new Set())
  const { isFiltered, filter, name, variables: list } = listOf(search)
  const variables = { ...pageOf(search, 25), ...list }
  const query = usePage(users, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={users}
      variables={variables}
      asked={query}
    >
      {({ users: found }) => (
        <Stack gap="sm">
          <Group gap="xs">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.stage} name="stage" values={stages} />
            <ChoiceField label={texts.tier} name="tier" values={tiers} />
            <ChoiceField
              label={texts.shown}
              name="block"
              values={shown}
              labelOf={(item) => (item === 'BLOCKED' ? texts.shownBlocked : texts.shownNotBlocked)}
            />
            <ChoiceField
              label={texts.sort}
              name="sort"
              values={sorts}
              labelOf={(sort) => texts.sorts[sort as (typeof sorts)[number]]}
            />
          </Group>
          <ActOnUsers of={{ filter, name, count: found.totalCount }}>
            {found.totalCount.value === 1 &&
              found.nodes.map((user) => <BlockOnly key={user.id} of={user} />)}
          </ActOnUsers>
          <ChosenBar of={found.nodes} chosen={chosenRows}>
            {(all) => (
              <Suspense>
                <ChosenUsers of={all} onDone={clear} />
              </Suspense>
            )}
          </ChosenBar>
          <ConnectionTable
            label={texts.title}
            of={found}
            columns={columnsOf(chosenRows)}
            idOf={({ id }) => id}
            isFiltered={isFiltered}
            empty={<EmptyState icon={IconUsers} text={texts.empty} />}
          />
        </Stack>
      )}
    </Page>
  )
}
