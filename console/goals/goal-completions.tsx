import { Stack, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { ExportList } from '../exports/export-list.tsx'
import type { GoalQuery } from '../generated/types.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import { column, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText, timeText, utcDateText } from '../parts/formats.ts'
import { IconTrophy } from '../parts/icons.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { grantStatusText } from '../rewards/grant-columns.tsx'
import { RewardLabel } from '../rewards/reward-name.tsx'
import { goalResultsTexts as texts } from '../texts/goals-texts.ts'
import { completionFilters, completionListOf, completionOrders } from './completion-filters.ts'
import { everStart } from './goal-text.ts'

type Completions = NonNullable<NonNullable<GoalQuery['goal']>['completions']>
type Completion = Completions['nodes'][number]

const Verdict = ({ of: { revokedAt } }: { of: Completion }) => (
  <>
    <Status
      of={revokedAt ? 'REVOKED' : 'COMPLETED'}
      label={revokedAt ? texts.revoked : texts.counts}
    />
    {revokedAt && (
      <Text size="xs" c="dimmed" mt={2}>
        {timeText(revokedAt)}
      </Text>
    )}
  </>
)

const columns: Column<Completion>[] = [
  column(texts.user, ({ user }) => <UserLink of={user} />),
  sortable(
    completionOrders,
    'CREATED_AT',
    timeColumn(texts.completedAt, ({ completedAt }) => completedAt),
  ),
  column(texts.which, ({ number, windowStart }) => (
    <>
      {texts.number(numberText(number))}
      {windowStart !== everStart && (
        <Text size="xs" c="dimmed">
          {texts.inPeriod(utcDateText(windowStart))}
        </Text>
      )}
    </>
  )),
  column(texts.status, (item) => <Verdict of={item} />),
  column(texts.rewards, ({ grants }) =>
    grants?.length ? (
      <Stack gap={4}>
        {grants.map((grant) => (
          <div key={grant.id}>
            <RewardLabel of={grant.reward} />
            <Text size="xs" c="dimmed">
              {grantStatusText(grant)}
            </Text>
          </div>
        ))}
      </Stack>
    ) : null,
  ),
]

/** Who has completed a goal, also if a reversal took it back. */
export const GoalCompletions = ({ goalId, of }: { goalId: string; of: Completions }) => {
  const [search] = usePageSearch()
  const period = useListPeriod()
  const { filter, order } = completionListOf(search, period)
  return (
    <Panel
      title={texts.list}
      isFramed={false}
      actions={
        <>
          <ChoiceField
            label={texts.status}
            name="completions"
            values={Object.keys(completionFilters)}
            labelOf={(name) => texts.filters[name as keyof typeof completionFilters]}
          />
          <PeriodField of={period} />
          <ListTools
            name="completions"
            columns={columns}
            order={order}
            filters={['completions', 'period', 'from', 'to']}
          >
            <ExportList
              kind="COMPLETIONS"
              filter={{
                goalIds: [goalId],
                ...('isRevoked' in filter && { isRevoked: filter.isRevoked }),
                ...(period && { createdAt: rangeOf(period) }),
              }}
            />
          </ListTools>
        </>
      }
    >
      <ConnectionTable
        label={texts.list}
        name="completions"
        order={order}
        of={of}
        columns={columns}
        idOf={({ id }) => id}
        isFiltered={Object.keys(filter).length > 0}
        empty={<EmptyState icon={IconTrophy} text={texts.nobody} />}
      />
    </Panel>
  )
}
