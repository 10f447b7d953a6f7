import { Badge, Group, SimpleGrid } from '@mantine/core'
import { PageButton, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { goalChoices } from '../generated/goals.ts'
import { archiveReward, reward } from '../generated/reward.ts'
import type { GrantStatus, RewardQuery, RewardRowFragment } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { actionsColumn, column } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { IconMedal } from '../parts/icons.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { grantsTexts, rewardsTexts as texts } from '../texts/rewards-texts.ts'
import { GrantActions } from './grant-actions.tsx'
import { grantColumns } from './grant-columns.tsx'
import { EditReward } from './reward-form.tsx'
import { leftOf, RewardSymbol, worthOf } from './reward-name.tsx'

type GivenTo = RewardQuery['grants']['nodes'][number]

const statuses = Object.keys(grantsTexts.statuses) as GrantStatus[]

const columns: Column<GivenTo>[] = [
  column(grantsTexts.user, ({ user }) => <UserLink of={user} />),
  ...grantColumns<GivenTo>(),
  actionsColumn((grant) => <GrantActions of={grant} />),
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
  <SimpleGrid cols={{ base: 2, sm: 3 }} mb="md">
    <StatCard label={texts.worthTitle} value={worthOf(of)} />
    <StatCard label={texts.given} value={of.grantCount ?? 0} />
    <StatCard label={texts.left} value={leftOf(of)} />
  </SimpleGrid>
)

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

const GivenList = ({ of, isFiltered }: { of: RewardQuery; isFiltered: boolean }) => (
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
      </Group>
    }
  >
    <ConnectionTable
      label={texts.who}
      of={of.grants}
      columns={columns}
      idOf={({ id }) => id}
      isFiltered={isFiltered}
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

/** One reward: what it gives, and who has it. */
export const RewardPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const goalId = search['goal']
  const variables = {
    id,
    filter: {
      rewardIds: [id],
      ...(status && { statuses: [status] }),
      ...(goalId && { goalIds: [goalId] }),
    },
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
            <GivenList of={data} isFiltered={Boolean(status ?? goalId)} />
          </>
        ) : (
          <NoSuch text={texts.noSuchReward} />
        )
      }
    </Page>
  )
}
