import { Alert, Group } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { usePageId, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { goal } from '../generated/goal.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { IconClock } from '../parts/icons.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { PageTabs, useTab } from '../parts/page-tabs.tsx'
import { useListPeriod, usePeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { goalsTexts as texts } from '../texts/goals-texts.ts'
import { completionListOf } from './completion-filters.ts'
import { GoalActions } from './goal-actions.tsx'
import { phaseOfGoal } from './goal-text.ts'

// Each tab is loaded when it is opened: the editor is larger than the rest of the page.
const GoalOverview = lazyRouteComponent(() => import('./goal-overview.tsx'), 'GoalOverview')
const GoalResults = lazyRouteComponent(() => import('./goal-results.tsx'), 'GoalResults')
const GoalStreaks = lazyRouteComponent(() => import('./goal-streaks.tsx'), 'GoalStreaks')
const GoalEditor = lazyRouteComponent(() => import('./goal-editor.tsx'), 'GoalEditor')
const GoalTrial = lazyRouteComponent(() => import('./goal-trial.tsx'), 'GoalTrial')
const FactSimulation = lazyRouteComponent(() => import('./fact-simulation.tsx'), 'FactSimulation')

const parts = {
  overview: GoalOverview,
  results: GoalResults,
  streaks: GoalStreaks,
  setup: GoalEditor,
  try: GoalTrial,
  simulate: FactSimulation,
}

const tabs = ['overview', 'results', 'streaks', 'setup', 'try', 'simulate'] as const

/** The tabs of a goal that is no streak. */
const withoutStreaks = tabs.filter((name) => name !== 'streaks')

/** How often a goal is read again while its users are counted. */
const countingMs = 2_000

/** One goal: what it asks and gives, its set-up, and what it would do. */
export const GoalPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const tab = useTab(tabs)
  // Loads the tab in parallel with its data. React would show a fallback for at least 300 ms.
  parts[tab].preload?.()
  const period = usePeriod()
  const isResults = tab === 'results'
  const { filter, order } = completionListOf(search, useListPeriod())
  const variables = {
    ...period.variables,
    ...{ id, isResults, isCompared: isResults && period.variables.isCompared },
    ...(isResults && pageOf(search, 25)),
    ...(isResults && { completions: filter, orderBy: order }),
  }
  const query = usePage(goal, variables, {
    refreshMs: (data) => (data?.goal?.isCounting ? countingMs : 0),
  })
  const found = query.data?.goal
  const Tab = parts[tab]
  return (
    <Page
      title={
        <Group gap="sm">
          {found?.name ?? texts.goal}
          {found && <Status of={phaseOfGoal(found)} />}
        </Group>
      }
      name={found?.name ?? texts.goal}
      actions={found && <GoalActions of={found} />}
      operation={goal}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchGoal}
    >
      {({ goal: shown }) =>
        shown ? (
          <>
            {shown.isCounting && (
              <Alert color="blue" icon={<IconClock aria-hidden />} mb="md" role="status">
                {texts.counting}
              </Alert>
            )}
            <PageTabs names={shown.streak ? tabs : withoutStreaks} labels={texts.tabs} shown={tab}>
              <Tab key={shown.id} of={shown} period={period} />
            </PageTabs>
          </>
        ) : (
          <NoSuch text={texts.noSuchGoal} />
        )
      }
    </Page>
  )
}
