import { Alert, Badge, Button, Grid, Group, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { archiveReward, reward } from '../generated/reward.ts'
import type { RewardQuery, RewardRowFragment } from '../generated/types.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { countText } from '../parts/formats.ts'
import { IconTruckDelivery } from '../parts/icons.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { type ComparedPeriod, useListPeriod, usePeriod } from '../parts/period.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { rewardCardTexts as cardTexts, rewardsTexts as texts } from '../texts/rewards-texts.ts'
import { RewardChart } from './reward-chart.tsx'
import { RewardCodes } from './reward-codes.tsx'
import { EditReward } from './reward-editor.tsx'
import { RewardFacts } from './reward-facts.tsx'
import { grantListOf, RewardGrants } from './reward-grants.tsx'
import { leftOf, RewardSymbol, worthOf } from './reward-name.tsx'
import { priceText } from './sale.ts'
import { shownRewardOf } from './shown-reward.ts'

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

/** One reward: what it gives, and who has it. */
export const RewardPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const goalId = search['goal']
  const period = usePeriod()
  const list = grantListOf(id, search, useListPeriod())
  const variables = {
    id,
    filter: list.filter,
    orderBy: list.order,
    waiting: { rewardIds: [id], rewardKinds: ['ITEM' as const], statuses: ['ISSUED' as const] },
    ...period.variables,
    isOfGoal: goalId !== undefined,
    ...(goalId && { goalId }),
    ...pageOf(search, 25),
  }
  const query = usePage(reward, variables)
  const found = query.data?.reward
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
      asked={query}
      noSuch={texts.noSuchReward}
    >
      {(data) =>
        data.reward ? (
          <>
            <Figures of={data.reward} />
            <Settings of={data.reward} waiting={data.toHandOut.totalCount} period={period} />
            <RewardGrants of={data} {...list} />
          </>
        ) : (
          <NoSuch text={texts.noSuchReward} />
        )
      }
    </Page>
  )
}
