import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { PageButton, PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { StartExportButton } from '../exports/start-export.tsx'
import { handedOutChoices, toHandOut } from '../generated/fulfillment.ts'
import type { ToHandOutQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { ChoosableCell, type Chosen, ChosenBar } from '../parts/chosen-rows.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { IconTruckDelivery } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { GrantActions } from '../rewards/grant-actions.tsx'
import { grantColumns, isToHandOut } from '../rewards/grant-columns.tsx'
import { RewardLabel } from '../rewards/reward-name.tsx'
import { fulfillmentTexts as texts } from '../texts/fulfillment-texts.ts'
import { grantsTexts, rewardsTexts } from '../texts/rewards-texts.ts'
import { HandOutChosen, type Waiting } from './hand-out-chosen.tsx'

const statuses = ['ISSUED', 'FAILED', 'FULFILLED', 'CANCELLED'] as const
const kinds = ['ITEM', 'CODE'] as const

/** What waits is shown oldest first, and what is done newest first. */
const orderOf = (status: (typeof statuses)[number]) =>
  ({
    field: 'CREATED_AT',
    direction: status === 'ISSUED' || status === 'FAILED' ? 'ASC' : 'DESC',
  }) as const

const columnsOf = (chosen: Chosen): Column<Waiting>[] => [
  column(grantsTexts.user, (grant) => (
    <ChoosableCell
      id={grant.id}
      label={texts.choose(grant.reward.name, grant.user.externalId)}
      chosen={chosen}
      isChoosable={isToHandOut(grant)}
    >
      <UserLink of={grant.user} />
    </ChoosableCell>
  )),
  column(grantsTexts.reward, ({ reward }) => (
    <PageLink page="rewards" id={reward.id} fw={600}>
      <RewardLabel of={reward} />
    </PageLink>
  )),
  ...grantColumns<Waiting>(),
  menuColumn(
    ({ reward, user }) => `${reward.name}, ${user.externalId}`,
    (grant) => <GrantActions of={grant} />,
  ),
]

/** Filters the list by the reward. The URL holds the choice. */
const RewardFilter = ({ of }: { of: ToHandOutQuery['filteredReward'] }) => {
  const [search, setSearch] = usePageSearch()
  const known = of && 'name' in of ? { value: of.id, label: of.name } : undefined
  return (
    <FoundSelect
      aria-label={grantsTexts.reward}
      placeholder={texts.anyReward}
      clearable
      operation={handedOutChoices}
      choicesOf={({ rewards }) =>
        rewards.nodes.map(({ id, name, kind }) => ({
          value: id,
          label: name,
          hint: rewardsTexts.kinds[kind],
        }))
      }
      known={known}
      value={search['reward'] ?? null}
      onChange={(id) => setSearch({ reward: id ?? undefined, after: undefined, before: undefined })}
      flex={{ base: '1 1 8rem', xs: '0 0 220px' }}
    />
  )
}

const Filters = ({ of }: { of: ToHandOutQuery }) => (
  <Group gap="xs">
    <SearchField label={texts.searchUser} name="user" />
    <ChoiceField
      label={texts.status}
      name="status"
      values={statuses}
      fallback="ISSUED"
      labelOf={(status) => texts.statuses[status as (typeof statuses)[number]]}
    />
    {!of.filteredReward && (
      <ChoiceField
        label={texts.kind}
        name="kind"
        values={kinds}
        fallback="ITEM"
        labelOf={(kind) => texts.kinds[kind as (typeof kinds)[number]]}
      />
    )}
    <RewardFilter of={of.filteredReward} />
  </Group>
)

const WaitingList = ({ of, isFiltered }: { of: ToHandOutQuery; isFiltered: boolean }) => {
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  return (
    <Stack gap="sm">
      <Filters of={of} />
      <ChosenBar of={of.grants.nodes.filter(isToHandOut)} chosen={{ ids, set }}>
        {(all) => <HandOutChosen of={all} onDone={() => set(new Set())} />}
      </ChosenBar>
      <ConnectionTable
        label={texts.title}
        of={of.grants}
        columns={columnsOf({ ids, set })}
        idOf={({ id }) => id}
        isFiltered={isFiltered}
        empty={
          <EmptyState
            icon={IconTruckDelivery}
            text={texts.none}
            action={<PageButton page="rewards">{texts.toRewards}</PageButton>}
          />
        }
      />
    </Stack>
  )
}

/** Items and codes that users have got, until they are handed out. */
export const FulfillmentPage = () => {
  const [{ user, reward, ...address }] = usePageSearch()
  const status = chosen(address['status'], statuses) ?? 'ISSUED'
  const kind = chosen(address['kind'], kinds) ?? 'ITEM'
  const variables = {
    ...pageOf(address, 50),
    filter: {
      statuses: [status],
      // A reward that was chosen has its kind.
      rewardKinds: reward ? [...kinds] : [kind],
      ...(reward && { rewardIds: [reward] }),
      ...(user && { user: { externalId: user } }),
    },
    orderBy: orderOf(status),
    isOfReward: reward !== undefined,
    ...(reward && { rewardId: reward }),
  }
  const asked = usePage(toHandOut, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<StartExportButton of="GRANTS" label={rewardsTexts.export} />}
      operation={toHandOut}
      variables={variables}
      asked={asked}
    >
      {(data) => (
        <WaitingList
          of={data}
          isFiltered={Boolean(user ?? reward) || status !== 'ISSUED' || kind !== 'ITEM'}
        />
      )}
    </Page>
  )
}
