/** Who has a reward: the list on its page. */
import { Group } from '@mantine/core'
import { PageButton, type Search, usePageSearch } from '../client/link.tsx'
import { ExportList } from '../exports/export-list.tsx'
import { goalChoices } from '../generated/goals.ts'
import type { GrantStatus, RewardQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { IconMedal } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Period, PeriodField, rangeOf } from '../parts/period.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { grantsTexts, rewardsTexts as texts } from '../texts/rewards-texts.ts'
import { GrantActions } from './grant-actions.tsx'
import { grantColumns, grantOrders } from './grant-columns.tsx'
import { grantExportOf } from './grant-export.ts'

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

/** The filter, the period and the order of the list, from the URL. */
export const grantListOf = (rewardId: string, search: Search, period: Period | null) => {
  const status = chosen(search['status'], statuses)
  const goalId = search['goal']
  return {
    filter: {
      rewardIds: [rewardId],
      ...(status && { statuses: [status] }),
      ...(goalId && { goalIds: [goalId] }),
      ...(period && { createdAt: rangeOf(period) }),
    },
    period,
    order: orderOf(search, grantOrders, 'CREATED_AT'),
  }
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

/** Who has a reward. */
export const RewardGrants = (props: { of: RewardQuery } & ReturnType<typeof grantListOf>) => {
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
