import { Alert, Badge, Button, Grid, Group, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { PageButton, PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { goalChoices } from '../generated/goals.ts'
import { archiveReward, reward } from '../generated/reward.ts'
import type {
  GrantFilter,
  GrantStatus,
  RewardQuery,
  RewardRowFragment,
} from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { countText } from '../parts/formats.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { IconMedal, IconTruckDelivery } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import {
  type ComparedPeriod,
  type Period,
  PeriodField,
  rangeOf,
  useListPeriod,
  usePeriod,
} from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { UserLink } from '../parts/user-link.tsx'
import {
  rewardCardTexts as cardTexts,
  grantsTexts,
  rewardsTexts as texts,
} from '../texts/rewards-texts.ts'
import { GrantActions } from './grant-actions.tsx'
import { grantColumns, grantOrders } from './grant-columns.tsx'
import { grantExportOf } from './grant-export.ts'
import { RewardChart } from './reward-chart.tsx'
import { RewardCodes } from './reward-codes.tsx'
import { EditReward } from './reward-editor.tsx'
import { RewardFacts } from './reward-facts.tsx'
import { leftOf, RewardSymbol, worthOf } from './reward-name.tsx'
import { priceText } from './sale.ts'
import { shownRewardOf } from './shown-reward.ts'

type GivenTo = RewardQuery['grants']['nodes'][number]

const statuses = Object.keys(grantsTexts.statuses) as GrantStatus[]

const columns: Column<GivenTo>[] = [
  column(grantsTexts.user, ({ user }) => <UserLink of={user} />),
  ...grantColumns<GivenTo>(),
  menuColumn(
    ({ user }) => user.externalId,
    (grant) => <GrantActions of={grant} />,
  ),
]

const ArchiveReward = ({ of: { id, name } }: { of: RewardRowFragment }) => {
  const change = useChange(archiveReward)
  return (
    <DangerButton
      right="PROGRAMME_WRITE"
      label={texts.archive}
      explanation={texts.archiveExplanation}
      name={name}
      act={() => change.mutateAsync({ input: { reward: { id } } })}
      done={texts.archivedDone}
    />
  )
}

const Figures = ({ of }: { of: RewardRowFragment }) => (
  <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
    <StatCard label={texts.worthTitle} value={worthOf(of)} />
    <StatCard label={texts.price} value={priceText(of.price) ?? texts.notForSale} />
    <StatCard label={texts.given} value={of.grantCount ?? 0} />
    <StatCard label={texts.left} value={leftOf(of)} />
  </SimpleGrid>
)

/** How many items wait to be handed out, with a link to their list. Users see codes themselves. */
const ToHandOut = ({ id, count }: { id: string; count: RewardQuery['toHandOut']['totalCount'] }) =>
  count.value > 0 && (
    <Alert icon={<IconTruckDelivery aria-hidden />} role="status" title={texts.toHandOut}>
      {texts.waiting(countText(count))}{' '}
      <PageLink page="fulfillment" search={{ reward: id }} size="sm" fw={600}>
        {texts.showQueue}
      </PageLink>
    </Alert>
  )

const RewardCard = lazy(async () => ({ default: (await import('./reward-card.tsx')).RewardCard }))

/** The card that users see. It is loaded when the member asks for it. */
const CardToShow = ({ of }: { of: NonNullable<RewardQuery['reward']> }) => {
  const [isShown, { open }] = useDisclosure()
  if (isShown)
    return (
      <Suspense>
        <RewardCard of={shownRewardOf(of)} />
      </Suspense>
    )
  return (
    <Panel title={cardTexts.title}>
      <Button variant="default" onClick={open}>
        {cardTexts.show}
      </Button>
    </Panel>
  )
}

/** What is set, and the card that users see. */
const Settings = (props: {
  of: NonNullable<RewardQuery['reward']>
  waiting: RewardQuery['toHandOut']['totalCount']
  period: ComparedPeriod
}) => {
  const { of, waiting, period } = props
  return (
    <Grid gap="md" mb="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="md">
          <ToHandOut id={of.id} count={waiting} />
          {of.kind === 'CODE' && <RewardCodes of={of} />}
          <RewardFacts of={of} />
          <RewardChart of={of} period={period} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <CardToShow of={of} />
      </Grid.Col>
    </Grid>
  )
}

/** Filters the list by the goal that gave. The URL holds the choice. */
const GoalFilter = ({ chosen: goal }: { chosen: RewardQuery['filteredGoal'] }) => {
  const [search, setSearch] = usePageSearch()
  const known = goal && 'name' in goal ? { value: goal.id, label: goal.name } : undefined
  return (
    <FoundSelect
      aria-label={grantsTexts.goal}
      placeholder={grantsTexts.anyGoal}
      clearable
      operation={goalChoices}
      choicesOf={({ goals }) =>
        goals.nodes.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
      }
      known={known}
      value={search['goal'] ?? null}
      onChange={(id) => setSearch({ goal: id ?? undefined, after: undefined, before: undefined })}
      flex={{ base: '1 1 8rem', xs: '0 0 220px' }}
    />
  )
}

const GivenList = (props: {
  of: RewardQuery
  filter: GrantFilter
  period: Period | null
  order: ListOrder
}) => {
  const { of, filter, period, order } = props
  return (
    <Panel
      title={texts.who}
      isFramed={false}
      actions={
        <Group gap="xs" wrap="wrap">
          <GoalFilter chosen={of.filteredGoal} />
          <ChoiceField
            label={grantsTexts.status}
            name="status"
            values={statuses}
            labelOf={(status) => grantsTexts.statuses[status as GrantStatus]}
          />
          <PeriodField of={period} />
          <ListTools
            name="reward-grants"
            columns={columns}
            order={order}
            filters={['goal', 'status', 'period', 'from', 'to']}
          >
            <ExportList kind="GRANTS" filter={grantExportOf(filter)} />
          </ListTools>
        </Group>
      }
    >
      <ConnectionTable
        label={texts.who}
        name="reward-grants"
        order={order}
        of={of.grants}
        columns={columns}
        idOf={({ id }) => id}
        isFiltered={Object.keys(filter).length > 1}
        empty={
          of.reward?.archivedAt ? (
            <EmptyState icon={IconMedal} text={texts.nobodyHadIt} />
          ) : (
            <EmptyState
              icon={IconMedal}
              text={texts.nobody}
              action={<PageButton page="goals">{texts.toGoals}</PageButton>}
            />
          )
        }
      />
    </Panel>
  )
}

/** One reward: what it gives, and who has it. */
export const RewardPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const goalId = search['goal']
  const period = usePeriod()
  const listPeriod = useListPeriod()
  const order = orderOf(search, grantOrders, 'CREATED_AT')
  const filter = {
    rewardIds: [id],
    ...(status && { statuses: [status] }),
    ...(goalId && { goalIds: [goalId] }),
    ...(listPeriod && { createdAt: rangeOf(listPeriod) }),
  }
  const variables = {
    id,
    filter,
    orderBy: order,
    waiting: { rewardIds: [id], rewardKinds: ['ITEM' as const], statuses: ['ISSUED' as const] },
    ...period.variables,
    isOfGoal: goalId !== undefined,
    ...(goalId && { goalId }),
    ...pageOf(search, 25),
  }
  const asked = usePage(reward, variables)
  const found = asked.data?.reward
  return (
    <Page
      title={
        <Group gap="sm">
          {found && <RewardSymbol of={found} size={36} />}
          {found?.name ?? texts.reward}
          {found?.archivedAt && <Badge color="gray">{texts.archived}</Badge>}
        </Group>
      }
      name={found?.name ?? texts.reward}
      {...(found?.description && { description: found.description })}
      actions={
        found && (
          <>
            <EditReward key={found.id} of={found} />
            {!found.archivedAt && <ArchiveReward of={found} />}
          </>
        )
      }
      operation={reward}
      variables={variables}
      asked={asked}
      noSuch={texts.noSuchReward}
    >
      {(data) =>
        data.reward ? (
          <>
            <Figures of={data.reward} />
            <Settings of={data.reward} waiting={data.toHandOut.totalCount} period={period} />
            <GivenList of={data} filter={filter} period={listPeriod} order={order} />
          </>
        ) : (
          <NoSuch text={texts.noSuchReward} />
        )
      }
    </Page>
  )
}
