import { SegmentedControl, Stack } from '@mantine/core'
import { type CSSProperties, useState } from 'react'
import { numbersOf } from '../../packages/widgets/src/mosaic.ts'
import type { Fact, GoalSetUpFragment, MeasureOf, RewardNameFragment } from '../generated/types.ts'
import { dateText, numberText } from '../parts/formats.ts'
import {
  type Icon,
  IconCheck,
  IconCoins,
  IconConfetti,
  IconDeviceGamepad2,
  IconFlag,
  IconGift,
  IconMedal,
  IconSwords,
  IconTicket,
  IconTrophy,
  IconUsersPlus,
} from '../parts/icons.ts'
import { goalCardTexts as texts } from '../texts/goals-texts.ts'
import classes from './goal-card.module.css'

type ShownTask = { name: string | null; target: number; of: MeasureOf; fact: Fact | undefined }
type ShownReward = Pick<RewardNameFragment, 'name' | 'kind' | 'points'>

/** What the card shows of a goal, as it is or as it is edited. */
export type ShownGoal = Pick<
  GoalSetUpFragment,
  | 'name'
  | 'slug'
  | 'description'
  | 'imageUrl'
  | 'joinMode'
  | 'timeLimitHours'
  | 'window'
  | 'endsAt'
  | 'claim'
> & {
  tasks: readonly ShownTask[]
  rewards: readonly ShownReward[]
}

type State = keyof typeof texts.states

const signs: Record<Fact, Icon> = {
  ACTIVITY: IconFlag,
  POINTS_AWARDED: IconCoins,
  GAME_PLAYED: IconDeviceGamepad2,
  GAME_WON: IconTrophy,
  CAMPAIGN_EVENT: IconConfetti,
  REFERRAL_MADE: IconUsersPlus,
  CODE_REDEEMED: IconTicket,
  OFFER_CLAIMED: IconGift,
  SESSION_WON: IconSwords,
}

const facets = [
  ['M0 0h64v64H0z', 0, 40],
  ['M0 0h64L0 64z', 0, 46],
  ['M64 0v40L24 0z', 24, 52],
  ['M0 64V34l30 30z', 336, 34],
  ['M64 64H44l20-20z', 24, 42],
] as const

/** The picture of a goal without one of its own. Its color follows from the slug, as in the widget. */
const Emblem = ({ slug, fact }: { slug: string; fact: Fact | undefined }) => {
  const hue = (numbersOf(slug)() % 24) * 15
  const Sign = signs[fact ?? 'ACTIVITY']
  return (
    <svg viewBox="0 0 64 64" className={classes['emblem']} aria-hidden>
      {facets.map(([d, turn, light]) => (
        <path key={d} d={d} fill={`hsl(${(hue + turn) % 360} 72% ${light}%)`} />
      ))}
      <Sign x={14} y={14} size={36} className={classes['sign'] ?? ''} />
    </svg>
  )
}

/** Up to this number, the steps of a task are stamps; of more, they are a bar. */
const maxStamps = 12

const isStamped = ({ of, target }: ShownTask) =>
  (of === 'COUNT' || of === 'DAYS') &&
  Number.isInteger(target) &&
  target >= 1 &&
  target <= maxStamps

const rates: Record<State, number> = { AVAILABLE: 0, IN_PROGRESS: 0.5, COMPLETED: 1 }

const Stamps = ({ target, got }: { target: number; got: number }) => (
  <div className={classes['stamps']}>
    {Array.from({ length: target }, (_, n) => (
      <span key={n} className={classes['stamp']} {...(n < got && { 'data-got': true })}>
        {n < got ? (
          <IconCheck size={20} stroke={2.8} />
        ) : n === target - 1 ? (
          <IconGift size={20} />
        ) : (
          n + 1
        )}
      </span>
    ))}
  </div>
)

const Task = ({ of: task, state }: { of: ShownTask; state: State }) => {
  const reached = task.target * rates[state]
  const isCounted = task.of === 'COUNT' || task.of === 'DAYS'
  const value = isCounted ? Math.floor(reached) : reached
  const target = numberText(task.target)
  return (
    <div>
      <div className={classes['label']}>
        {task.name && <span>{task.name}</span>}
        <b>{texts.of(numberText(value), task.of === 'POINTS' ? texts.points(target) : target)}</b>
      </div>
      {isStamped(task) ? (
        <Stamps target={task.target} got={value} />
      ) : (
        <div className={classes['bar']}>
          <div className={classes['fill']} style={{ '--rate': rates[state] } as CSSProperties} />
        </div>
      )}
    </div>
  )
}

const whenOf = ({ window, timeLimitHours, endsAt, joinMode }: ShownGoal) =>
  [
    texts.windows[window],
    joinMode === 'OPT_IN' && timeLimitHours !== null && texts.hours(numberText(timeLimitHours)),
    endsAt && texts.until(dateText(endsAt)),
  ]
    .filter(Boolean)
    .join(' · ')

const buttonOf = ({ joinMode, claim, rewards }: ShownGoal, state: State) => {
  if (state === 'AVAILABLE' && joinMode === 'OPT_IN') return texts.join
  return state === 'COMPLETED' && claim === 'BY_USER' && rewards.length > 0 ? texts.claim : null
}

const Reward = ({ of: { name, kind, points } }: { of: ShownReward }) => {
  const isBadge = kind === 'BADGE'
  const Sign = isBadge ? IconMedal : IconCoins
  return (
    <li>
      <Sign size={20} aria-hidden className={classes[isBadge ? 'badge' : 'points'] ?? ''} />
      {isBadge ? name : `+${texts.points(numberText(points ?? 0))}`}
    </li>
  )
}

/** The card of a goal in one state. */
const Card = ({ of, state }: { of: ShownGoal; state: State }) => {
  const button = buttonOf(of, state)
  const when = whenOf(of)
  return (
    <article className={classes['card']} data-state={state} aria-label={of.name || texts.noName}>
      <div className={classes['top']}>
        <Emblem slug={of.slug} fact={of.tasks[0]?.fact} />
        <div>
          <div className={classes['name']}>{of.name || texts.noName}</div>
          <div className={classes['state']}>{texts.shown[state]}</div>
        </div>
      </div>
      {of.description && <div className={classes['soft']}>{of.description}</div>}
      {of.tasks.map((task, n) => (
        <Task key={n} of={task} state={state} />
      ))}
      {when && <div className={classes['soft']}>{when}</div>}
      {(of.rewards.length > 0 || button) && (
        <div className={classes['foot']}>
          {of.rewards.length > 0 && (
            <ul className={classes['rewards']}>
              {of.rewards.map((reward) => (
                <Reward key={reward.name} of={reward} />
              ))}
            </ul>
          )}
          {button && <span className={classes['button']}>{button}</span>}
        </div>
      )}
    </article>
  )
}

/** The card that users see, in the state that the member chooses. */
export const GoalCard = ({ of }: { of: ShownGoal }) => {
  const [state, setState] = useState<State>('IN_PROGRESS')
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={texts.state}
        value={state}
        onChange={(value) => setState(value as State)}
        data={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
      />
      <Card of={of} state={state} />
    </Stack>
  )
}
