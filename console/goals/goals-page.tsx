import { Badge, Group, Stack, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { StartExportButton } from '../exports/start-export.tsx'
import { goals } from '../generated/goals.ts'
import type { GoalsQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconFlag } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { usePeriod } from '../parts/period.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Status } from '../parts/status.tsx'
import { RewardLabel } from '../rewards/reward-name.tsx'
import { goalsTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { goalDates, phaseOfGoal, taskText } from './goal-text.ts'
import { NewGoal } from './new-goal.tsx'

const statuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const
const sorts = ['POSITION', 'CREATED_AT'] as const

type GoalRow = GoalsQuery['goals']['nodes'][number]

const columns: Column<GoalRow>[] = [
  column(texts.goal, ({ id, name, slug, isSecret }) => (
    <>
      <Group gap={6}>
        <PageLink page="goals" id={id} size="sm" fw={600}>
          {name}
        </PageLink>
        {isSecret && (
          <Badge size="sm" variant="default">
            {texts.secret}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {slug}
      </Text>
    </>
  )),
  column(texts.status, (goal) => <Status of={phaseOfGoal(goal)} />),
  wide(
    column(texts.asks, ({ tasks }) => (
      <Stack gap={0}>
        {tasks.map((task, n) => (
          <Text key={n} size="sm">
            {taskText(task)}
          </Text>
        ))}
      </Stack>
    )),
  ),
  column(texts.counted, ({ window }) => words.shortWindows[window]),
  column(texts.rewards, ({ rewards }) =>
    rewards.length === 0 ? (
      texts.noRewards
    ) : (
      <Stack gap={2}>
        {rewards.map((reward) => (
          <RewardLabel key={reward.id} of={reward} />
        ))}
      </Stack>
    ),
  ),
  numberColumn(texts.completed, ({ statistics }) => statistics?.[0]?.total ?? 0),
  column(texts.dates, goalDates),
]

export const GoalsPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const status = chosen(address['status'], statuses)
  const sort = chosen(address['sort'], sorts)
  const { from, to, timeZone } = usePeriod()
  const variables = {
    ...pageOf(address, 25),
    ...{ from, to, timeZone },
    filter: { ...(search && { search }), ...(status && { statuses: [status] }) },
    orderBy:
      sort === 'CREATED_AT'
        ? ({ field: 'CREATED_AT', direction: 'DESC' } as const)
        : ({ field: 'POSITION', direction: 'ASC' } as const),
  }
  const query = usePage(goals, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <StartExportButton of="COMPLETIONS" label={texts.export} />
          <NewGoal />
        </>
      }
      operation={goals}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <>
          <Group gap="xs" mb="sm">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.status} name="status" values={statuses} />
            <ChoiceField
              label={texts.sort}
              name="sort"
              values={sorts}
              fallback="POSITION"
              labelOf={(value) => texts.sorts[value as (typeof sorts)[number]]}
            />
          </Group>
          <ConnectionTable
            label={texts.title}
            of={data.goals}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? status)}
            empty={<EmptyState icon={IconFlag} text={texts.empty} action={<NewGoal />} />}
          />
        </>
      )}
    </Page>
  )
}
