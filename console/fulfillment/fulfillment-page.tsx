import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { PageButton, PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { handedOutChoices, toHandOut } from '../generated/fulfillment.ts'
import type { GrantFilter, ToHandOutQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { ChoosableCell, type Chosen, ChosenBar } from '../parts/chosen-rows.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { IconTruckDelivery } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { type Period, PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { GrantActions } from '../rewards/grant-actions.tsx'
import { grantColumns, isToHandOut } from '../rewards/grant-columns.tsx'
import { grantExportOf } from '../rewards/grant-export.ts'
import { RewardLabel } from '../rewards/reward-name.tsx'
import { fulfillmentTexts as texts } from '../texts/fulfillment-texts.ts'
import { grantsTexts, rewardsTexts } from '../texts/rewards-texts.ts'
import { HandOutChosen, type Waiting } from './hand-out-chosen.tsx'

const statuses = ['ISSUED', 'FAILED', 'FULFILLED', 'CANCELLED'] as const
const kinds = ['ITEM', 'CODE'] as const

/** What waits is shown oldest first, and what is done newest first, unless the member chose an order. */
const ordersOf = (status: (typeof statuses)[number]) =>
  ({ CREATED_AT: status === 'ISSUED' || status === 'FAILED' ? 'ASC' : 'DESC' }) as const

const filterNames = ['user', 'status', 'kind', 'reward', 'period', 'from', 'to']

const columnsOf = (chosen: Chosen, orders: ReturnType<typeof ordersOf>): Column<Waiting>[] => [
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
  ...grantColumns<Waiting>(orders),
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

type ListProps = {
  of: ToHandOutQuery
  orders: ReturnType<typeof ordersOf>
  filter: GrantFilter
  period: Period | null
  order: ListOrder
}

const Filters = ({
  of,
  filter,
  period,
  order,
  columns,
}: ListProps & { columns: Column<Waiting>[] }) => (
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
    <PeriodField of={period} />
    <ListTools name="fulfillment" columns={columns} order={order} filters={filterNames}>
      <ExportList kind="GRANTS" filter={grantExportOf(filter)} />
    </ListTools>
  </Group>
)

const WaitingList = ({ isFiltered, ...list }: ListProps & { isFiltered: boolean }) => {
  const { of, order, orders } = list
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const columns = columnsOf({ ids, set }, orders)
  return (
    <Stack gap="sm">
      <Filters {...list} columns={columns} />
      <ChosenBar of={of.grants.nodes.filter(isToHandOut)} chosen={{ ids, set }}>
        {(all) => <HandOutChosen of={all} onDone={() => set(new Set())} />}
      </ChosenBar>
      <ConnectionTable
        label={texts.title}
        name="fulfillment"
        order={order}
        of={of.grants}
        columns={columns}
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
  const [search] = usePageSearch()
  const { user, reward, ...address } = search
  const period = useListPeriod()
  const status = chosen(address['status'], statuses) ?? 'ISSUED'
  const kind = chosen(address['kind'], kinds) ?? 'ITEM'
  const orders = ordersOf(status)
  const order = orderOf(search, orders, 'CREATED_AT')
  const filter = {
    statuses: [status],
    // A reward that was chosen has its kind.
    rewardKinds: reward ? [...kinds] : [kind],
    ...(reward && { rewardIds: [reward] }),
    ...(user && { user: { externalId: user } }),
    ...(period && { createdAt: rangeOf(period) }),
  }
  const variables = {
    ...pageOf(address, 50),
    filter,
    orderBy: order,
    isOfReward: reward !== undefined,
    ...(reward && { rewardId: reward }),
  }
  const query = usePage(toHandOut, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={toHandOut}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <WaitingList
          {...{ of: data, filter, period, order, orders }}
          isFiltered={Boolean(user ?? reward ?? period) || status !== 'ISSUED' || kind !== 'ITEM'}
        />
      )}
    </Page>
  )
}
