import { useChange } from '../client/use-change.ts'
import { cloneGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { NewDraft } from '../parts/new-draft.tsx'
import { slugFrom } from '../parts/slug.ts'
import { goalsTexts as texts } from '../texts/goals-texts.ts'

/** Copies a goal to a draft and opens its set-up. */
export const CloneGoal = ({ of }: { of: GoalSetUpFragment }) => {
  const change = useChange(cloneGoal)
  return (
    <NewDraft
      right="PROGRAMME_WRITE"
      page="goals"
      label={texts.clone}
      done={texts.cloned}
      variant="default"
      hint={texts.cloneHint}
      texts={texts}
      lengths={{ name: 100, slug: 64 }}
      slugHint={() => texts.slugHint}
      initialValues={{ name: texts.copyOf(of.name), slug: slugFrom(texts.copyOf(of.name)) }}
      create={async (values) => {
        const input = { goal: { id: of.id }, ...values }
        return (await change.mutateAsync({ input })).goal
      }}
    />
  )
}
