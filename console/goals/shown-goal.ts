/** What the card shows of a goal. */
import type { GoalSetUpFragment } from '../generated/types.ts'
import type { ShownGoal } from './goal-card.tsx'
import type { GoalValues } from './goal-form.ts'

export const shownGoalOf = (of: GoalSetUpFragment): ShownGoal => ({
  ...of,
  tasks: of.tasks.map(({ name, target, measure }) => ({
    name,
    target,
    of: measure.of,
    fact: measure.facts[0],
  })),
})

/** The same of a goal as it is edited. */
export const shownGoalOfValues = (values: GoalValues): ShownGoal => ({
  ...values,
  timeLimitHours: values.timeLimitHours === '' ? null : values.timeLimitHours,
  tasks: values.tasks.map(({ name, target, of, facts }) => ({
    name,
    target: Number(target),
    of,
    fact: facts[0],
  })),
  rewards: values.rewards.map(({ label, kind, points }) => ({ name: label, kind, points })),
})
