import { lazyRouteComponent } from '@tanstack/react-router'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteGoal, endGoal, pauseGoal, startGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { goalsTexts as texts } from '../texts/goals-texts.ts'
import { CloneGoal } from './clone-goal.tsx'

const right = 'PROGRAMME_WRITE'

// Loaded when it is opened.
const GoalCheck = lazyRouteComponent(() => import('./goal-check.tsx'), 'GoalCheck')

const DeleteDraft = ({ of: { id, name } }: { of: GoalSetUpFragment }) => {
  const goTo = useGoTo()
  const remove = useChange(deleteGoal, { leave: () => goTo({ page: 'goals' }) })
  return (
    <DangerButton
      right={right}
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={name}
      act={() => remove.mutateAsync({ input: { goal: { id } } })}
      done={texts.deleted}
    />
  )
}

/** The actions for a goal in its status. */
export const GoalActions = ({ of }: { of: GoalSetUpFragment }) => {
  const { id, status, name } = of
  const begin = useChange(startGoal)
  const pause = useChange(pauseGoal)
  const end = useChange(endGoal)
  const input = { goal: { id } }
  return (
    <>
      <CloneGoal key={id} of={of} />
      <LifecycleButtons
        {...{ right, name, status, texts }}
        start={() => begin.mutateAsync({ input })}
        pause={() => pause.mutateAsync({ input })}
        end={() => end.mutateAsync({ input })}
        checks={{
          start: (frame) => <GoalCheck of={of} frame={frame} to="start" />,
          pause: (frame) => <GoalCheck of={of} frame={frame} to="pause" />,
        }}
        remove={<DeleteDraft of={of} />}
      />
    </>
  )
}
