/** What the card shows of a goal, as it is or as it is edited, for a user who does not exist. */
import type { GoalPicture } from '../../packages/widgets/src/goal-picture.ts'
import type { Fact, GoalSetUpFragment, MeasureOf, RewardNameFragment } from '../generated/types.ts'
import { goalCardTexts as texts } from '../texts/goals-texts.ts'
import type { GoalValues } from './goal-form.ts'

type ShownTask = { name: string | null; target: number; of: MeasureOf; fact: Fact | undefined }
type ShownReward = Pick<RewardNameFragment, 'uuid' | 'name' | 'kind' | 'points'>

export type ShownGoal = Pick<
  GoalSetUpFragment,
  | 'name'
  | 'slug'
  | 'description'
  | 'joinMode'
  | 'timeLimitHours'
  | 'window'
  | 'repeat'
  | 'endsAt'
  | 'claim'
  | 'claimDays'
  | 'holdDays'
> & {
  tasks: readonly ShownTask[]
  rewards: readonly ShownReward[]
}

export const shownGoalOf = (of: GoalSetUpFragment): ShownGoal => ({
  ...of,
  tasks: of.tasks.map(({ name, target, measure }) => ({
    name,
    target,
    of: measure.of,
    fact: measure.facts[0],
  })),
})

const orNull = (value: number | '') => (value === '' ? null : value)

/** The same of a goal as it is edited. */
export const shownGoalOfValues = (values: GoalValues): ShownGoal => ({
  ...values,
  timeLimitHours: orNull(values.timeLimitHours),
  claimDays: orNull(values.claimDays),
  tasks: values.tasks.map(({ name, target, of, facts }) => ({
    name: name || null,
    target: Number(target),
    of,
    fact: facts[0],
  })),
  rewards: values.rewards.map(({ label, uuid, kind, points }) => ({
    ...{ name: label, uuid, kind, points },
  })),
})

/** The states that the picture can show. */
export type PictureState = keyof typeof texts.states

const hourMs = 3_600_000

const after = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()

/** When the present window ends, in the time zone of the browser. */
const endOfWindow = (window: ShownGoal['window']): string | null => {
  const now = new Date()
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (window === 'DAY') return new Date(year, month, day + 1).toISOString()
  if (window === 'WEEK') return new Date(year, month, day + 8 - (now.getDay() || 7)).toISOString()
  return window === 'MONTH' ? new Date(year, month + 1, 1).toISOString() : null
}

const timesOf = (of: ShownGoal, state: PictureState) => {
  const hasJoined = of.joinMode === 'OPT_IN' && state !== 'AVAILABLE'
  const windowEnd = endOfWindow(of.window)
  const rangeEnd = hasJoined && of.timeLimitHours !== null ? after(of.timeLimitHours) : null
  const [endsAt = null] = [windowEnd, rangeEnd, of.endsAt]
    .flatMap((at) => (at === null ? [] : new Date(at).toISOString()))
    .sort()
  const isRepeated = of.repeat === 'EACH_WINDOW' && windowEnd !== null && endsAt === windowEnd
  return { endsAt, nextWindowAt: isRepeated ? windowEnd : null }
}

const actionOf = (of: ShownGoal, state: PictureState) => {
  if (state === 'AVAILABLE') return of.joinMode === 'OPT_IN' ? 'JOIN' : 'NONE'
  if (state === 'IN_PROGRESS' || of.rewards.length === 0) return 'NONE'
  if (of.holdDays > 0) return 'WAIT'
  return of.claim === 'BY_USER' ? 'CLAIM' : 'NONE'
}

/** How far the user is: half of the way is whole for what is counted. */
const rateOf = ({ target, of }: ShownTask, state: PictureState) => {
  if (state !== 'IN_PROGRESS') return state === 'COMPLETED' ? 1 : 0
  const isCounted = of === 'COUNT' || of === 'DAYS'
  return isCounted && target > 0 ? Math.floor(target / 2) / target : 0.5
}

const rewardOf = (of: ShownReward) => ({ ...of, description: null, imageUrl: null })

/** The picture of a goal in a state. The console shows no pictures from other hosts. */
export const pictureOf = (of: ShownGoal, state: PictureState): GoalPicture => {
  const { name, slug, description, tasks } = of
  const nextAction = actionOf(of, state)
  const rewards = of.rewards.map(rewardOf)
  const isDone = state === 'COMPLETED'
  return {
    of: {
      goal: {
        ...{ slug, description, rewards },
        name: name || texts.noName,
        fact: tasks[0]?.fact ?? 'ACTIVITY',
        imageUrl: null,
        status: 'ACTIVE',
        startedAt: null,
      },
      ...{ state, nextAction },
      tasks: tasks.map((task) => ({ ...task, rate: rateOf(task, state) })),
      ...timesOf(of, state),
      completionCount: isDone ? 1 : 0,
      isCounting: false,
      isInSegment: null,
      requires: [],
    },
    grants: rewards.map((reward) => ({
      uuid: reward.uuid,
      points: reward.points,
      status: nextAction === 'WAIT' ? 'HELD' : 'READY',
      needsClaim: of.claim === 'BY_USER',
      heldUntil: nextAction === 'WAIT' ? after(of.holdDays * 24) : null,
      claimExpiresAt: of.claimDays === null ? null : after(of.claimDays * 24),
      issuedAt: null,
      reward,
      goalCompletion: { goal: { slug } },
    })),
  }
}
