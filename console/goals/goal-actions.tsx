import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteGoal, endGoal, pauseGoal, startGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { goalsTexts as texts } from '../texts/goals-texts.ts'
import { CloneGoal } from './clone-goal.tsx'

const right = 'PROGRAMME_WRITE'

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
        remove={<DeleteDraft of={of} />}
      />
    </>
  )
}
