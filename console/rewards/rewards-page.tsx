import { Badge, Group, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { StartExportButton } from '../exports/start-export.tsx'
import { rewards } from '../generated/rewards.ts'
import type { RewardRowFragment } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconMedal } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'
import { NewReward } from './reward-editor.tsx'
import { countLeft, isRunningOut, leftOf, RewardLabel, worthOf } from './reward-name.tsx'
import { priceText, saleTime } from './sale.ts'

const kinds = Object.keys(texts.kinds) as (keyof typeof texts.kinds)[]
const shows = ['given', 'archived'] as const
const sales = ['yes', 'no'] as const

const orders = { CREATED_AT: 'DESC', NAME: 'ASC', POSITION: 'ASC' } as const
const sorts = Object.keys(orders)
const filterNames = ['search', 'kind', 'sale', 'show']

const labelIn =
  <Labels extends Record<string, string>>(labels: Labels) =>
  (value: string) =>
    labels[value] ?? value

/** The price, and from or until when it is for sale. */
const Price = ({ of }: { of: RewardRowFragment }) => {
  const time = saleTime(of)
  return (
    <>
      {priceText(of.price) ?? '–'}
      {time && (
        <Text size="xs" c="dimmed">
          {time}
        </Text>
      )}
    </>
  )
}

/** How many are left, in a color if that is few. */
const Left = ({ of }: { of: RewardRowFragment }) => {
  const left = countLeft(of)
  const text = left === 0 ? texts.noneLeft : leftOf(of)
  if (of.archivedAt || !isRunningOut(of)) return text
  return <Badge color={left === 0 ? 'red' : 'yellow'}>{text}</Badge>
}

const columns: Column<RewardRowFragment>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.reward, (reward) => (
      <>
        <PageLink page="rewards" id={reward.id} fw={600}>
          <RewardLabel of={reward} />
        </PageLink>
        {reward.description && (
          <Text size="xs" c="dimmed" lineClamp={1} fw={400}>
            {reward.description}
          </Text>
        )}
      </>
    )),
  ),
  column(texts.worthTitle, worthOf),
  column(texts.price, (reward) => <Price of={reward} />),
  numberColumn(texts.given, ({ grantCount }) => grantCount ?? 0),
  { ...column(texts.left, (reward) => <Left of={reward} />), textAlign: 'right' },
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
]

const Filters = ({ order }: { order: ListOrder }) => (
  <Group gap="xs" mb="sm">
    <SearchField label={texts.search} />
    <ChoiceField label={texts.kind} name="kind" values={kinds} labelOf={labelIn(texts.kinds)} />
    <ChoiceField label={texts.sale} name="sale" values={sales} labelOf={labelIn(texts.sales)} />
    <ChoiceField
      label={texts.shown}
      name="show"
      values={shows}
      fallback="given"
      labelOf={labelIn(texts.shows)}
    />
    <ChoiceField
      label={texts.sort}
      name="sort"
      values={sorts}
      fallback="CREATED_AT"
      labelOf={labelIn(texts.sorts)}
    />
    <ListTools name="rewards" columns={columns} order={order} filters={filterNames} />
  </Group>
)

export const RewardsPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const kind = chosen(address['kind'], kinds)
  const sale = chosen(address['sale'], sales)
  const isArchived = address['show'] === 'archived'
  const order = orderOf(address, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(address, 25),
    filter: {
      isArchived,
      ...(search && { search }),
      ...(kind && { kinds: [kind] }),
      ...(sale && { isForSale: sale === 'yes' }),
    },
    orderBy: order,
  }
  const query = usePage(rewards, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <StartExportButton of="GRANTS" label={texts.export} />
          <NewReward />
        </>
      }
      operation={rewards}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <>
          <Filters order={order} />
          <ConnectionTable
            label={texts.title}
            name="rewards"
            order={order}
            of={data.rewards}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? kind ?? sale) || isArchived}
            empty={<EmptyState icon={IconMedal} text={texts.empty} action={<NewReward />} />}
          />
        </>
      )}
    </Page>
  )
}
