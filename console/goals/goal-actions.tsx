import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteGoal, endGoal, pauseGoal, startGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { goalsTexts as texts } from '../texts/goals-texts.ts'
import { CloneGoal } from './clone-goal.tsx'

const right = 'PROGRAMME_WRITE'

/** A draft is started or deleted. */
const DraftButtons = (props: { of: GoalSetUpFragment; start: () => Promise<unknown> }) => {
  const { of, start } = props
  const goTo = useGoTo()
  const remove = useChange(deleteGoal, { leave: () => goTo({ page: 'goals' }) })
  return (
    <>
      <ActionButton
        right={right}
        variant="filled"
        label={texts.start}
        act={start}
        done={texts.started}
      />
      <DangerButton
        right={right}
        label={texts.delete}
        explanation={texts.deleteExplanation}
        name={of.name}
        act={() => remove.mutateAsync({ input: { goal: { id: of.id } } })}
        done={texts.deleted}
      />
    </>
  )
}

/** The actions for a goal in its status. */
export const GoalActions = ({ of }: { of: GoalSetUpFragment }) => {
  const { id, status, name } = of
  const begin = useChange(startGoal)
  const pause = useChange(pauseGoal)
  const end = useChange(endGoal)
  const input = { goal: { id } }
  const start = () => begin.mutateAsync({ input })
  return (
    <>
      <CloneGoal key={id} of={of} />
      {status === 'DRAFT' ? (
        <DraftButtons of={of} start={start} />
      ) : (
        <LifecycleButtons
          {...{ right, name, status, texts, start }}
          pause={() => pause.mutateAsync({ input })}
          end={() => end.mutateAsync({ input })}
        />
      )}
    </>
  )
}
