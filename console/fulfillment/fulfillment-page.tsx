import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PageButton, PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { StartExportButton } from '../exports/start-export.tsx'
import { handedOutChoices, toHandOut } from '../generated/fulfillment.ts'
import type { ToHandOutQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText } from '../parts/formats.ts'
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

/** The ids of chosen rows. */
type Chosen = { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void }

const toggled = (ids: ReadonlySet<string>, id: string) =>
  new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])

const columnsOf = ({ ids, set }: Chosen): Column<Waiting>[] => [
  column(grantsTexts.user, (grant) => (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      {isToHandOut(grant) && (
        <Checkbox
          aria-label={texts.choose(grant.reward.name, grant.user.externalId)}
          checked={ids.has(grant.id)}
          onChange={() => set(toggled(ids, grant.id))}
        />
      )}
      <div>
        <UserLink of={grant.user} />
      </div>
    </Group>
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

/** How many are chosen, and what is done with all of them. */
const ChosenBar = ({ of, chosen }: { of: readonly Waiting[]; chosen: Chosen }) => {
  const waiting = of.filter(isToHandOut)
  const all = waiting.filter(({ id }) => chosen.ids.has(id))
  return (
    <Group justify="space-between" mih={36}>
      {waiting.length > 0 ? (
        <Checkbox
          label={texts.chooseAll}
          checked={all.length === waiting.length}
          indeterminate={all.length > 0 && all.length < waiting.length}
          onChange={({ currentTarget: { checked } }) =>
            chosen.set(new Set(checked ? waiting.map(({ id }) => id) : []))
          }
        />
      ) : (
        <span />
      )}
      <Group gap="sm">
        {all.length > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {texts.chosen(numberText(all.length))}
          </Text>
        )}
        <HandOutChosen of={all} onDone={() => chosen.set(new Set())} />
      </Group>
    </Group>
  )
}

const WaitingList = ({ of, isFiltered }: { of: ToHandOutQuery; isFiltered: boolean }) => {
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  return (
    <Stack gap="sm">
      <Filters of={of} />
      <ChosenBar of={of.grants.nodes} chosen={{ ids, set }} />
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
