/** What the widgets of goals and badges make of the answers of the API. */
import { expect, test } from 'vitest'
import {
  badgesOf,
  firstOf,
  type GivenReward,
  type Grant,
  giftsOf,
  grantsOf,
  heldOf,
  isClaimable,
  isDue,
  missingOf,
  rateOf,
  reachedOf,
  stampsOf,
  type Task,
  type UserGoal,
} from '../../packages/widgets/src/goal-data.ts'
import { createSay, words } from '../../packages/widgets/src/texts.ts'

const taskOf = (more: Partial<Task> = {}): Task => ({
  name: null,
  target: 3,
  rate: 0,
  of: 'COUNT',
  ...more,
})

const rewardOf = (uuid: string, kind = 'POINTS'): GivenReward => ({
  uuid,
  name: uuid,
  description: null,
  imageUrl: null,
  kind,
  points: kind === 'POINTS' ? 50 : null,
})

const goalOf = (slug: string, rewards: GivenReward[], more: Partial<UserGoal> = {}): UserGoal => ({
  goal: {
    slug,
    name: slug,
    description: null,
    imageUrl: null,
    status: 'ACTIVE',
    startedAt: null,
    fact: 'ACTIVITY',
    rewards,
  },
  state: 'COMPLETED',
  nextAction: 'CLAIM',
  tasks: [taskOf({ rate: 1 })],
  endsAt: null,
  nextWindowAt: null,
  completionCount: 1,
  isCounting: false,
  isInSegment: null,
  requires: [],
  ...more,
})

const grantOf = (uuid: string, reward: GivenReward, more: Partial<Grant> = {}): Grant => ({
  uuid,
  points: reward.points,
  status: 'READY',
  needsClaim: true,
  heldUntil: null,
  claimExpiresAt: null,
  issuedAt: null,
  reward,
  goalCompletion: null,
  ...more,
})

const ids = (grants: Grant[]) => grants.map(({ uuid }) => uuid)
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

test('a task that counts to at most 12 is a card of stamps, in rows of at most six', () => {
  expect(stampsOf(taskOf({ target: 7, rate: 2 / 7 }))).toEqual({ all: 7, got: 2, columns: 4 })
  expect(stampsOf(taskOf({ target: 12, of: 'DAYS', rate: 1 }))).toMatchObject({
    got: 12,
    columns: 6,
  })
  // Of no share is a stamp lost by rounding.
  for (let target = 1; target <= 12; target++)
    for (let got = 0; got <= target; got++)
      expect(stampsOf(taskOf({ target, rate: got / target }))?.got).toBe(got)
  for (const more of [{ target: 13 }, { target: 2.5 }, { of: 'POINTS' }, { of: 'ATTRIBUTE' }])
    expect(stampsOf(taskOf(more))).toBeNull()
})

test('what is reached has the decimals of the API, and a goal the mean of its tasks', () => {
  expect(reachedOf(taskOf({ target: 250, rate: 0.502, of: 'ATTRIBUTE' }))).toBe(125.5)
  expect(reachedOf(taskOf({ target: 0.3, rate: 0.1 / 0.3 }))).toBe(0.1)
  expect(rateOf({ tasks: [taskOf({ rate: 1 }), taskOf({ rate: 0.5 })] })).toBe(0.75)
})

test('claiming a goal claims its own grants, whatever others give', () => {
  const bonus = rewardOf('bonus')
  const of = (slug: string) => ({ goalCompletion: { goal: { slug } } })
  const grants = [
    grantOf('a', bonus, of('one')),
    grantOf('b', bonus, of('two')),
    grantOf('given', bonus),
    grantOf('late', bonus, { ...of('one'), claimExpiresAt: at(-1_000) }),
    grantOf('alone', bonus, { ...of('one'), needsClaim: false }),
  ]
  expect(ids(grantsOf(goalOf('one', [bonus]), grants))).toEqual(['a'])
  expect(ids(grantsOf(goalOf('two', [bonus]), grants))).toEqual(['b'])
  // A completion keeps the rewards of its moment, which the goal may no longer give.
  expect(ids(grantsOf(goalOf('one', [rewardOf('new')]), grants))).toEqual(['a'])
  expect(isClaimable(grantOf('c', bonus, { claimExpiresAt: at(60_000) }))).toBe(true)
  expect(isClaimable(grantOf('d', bonus, { status: 'ISSUED' }))).toBe(false)
})

test('a goal is due while all targets are reached and it is not completed yet', () => {
  const reached = { state: 'IN_PROGRESS', nextAction: 'NONE' } as const
  expect(isDue(goalOf('g', [], reached))).toBe(true)
  expect(isDue(goalOf('g', [], { ...reached, tasks: [taskOf({ rate: 0.9 })] }))).toBe(false)
  expect(isDue(goalOf('g', [], { ...reached, isCounting: true }))).toBe(false)
  expect(isDue(goalOf('g', [], { ...reached, state: 'LOCKED' }))).toBe(false)
  expect(isDue(goalOf('g', []))).toBe(false)
})

test('what is held is of its goal, and a goal says which goals come first', () => {
  const bonus = rewardOf('bonus')
  const of = (slug: string) => ({ goalCompletion: { goal: { slug } } })
  const held = { status: 'HELD', needsClaim: false }
  const grants = [
    grantOf('late', bonus, { ...held, ...of('one'), heldUntil: at(2_000) }),
    grantOf('soon', bonus, { ...held, ...of('one'), heldUntil: at(1_000) }),
    grantOf('other', bonus, { ...held, ...of('two'), heldUntil: at(500) }),
    grantOf('ready', bonus, of('one')),
  ]
  const shown = heldOf(goalOf('one', [bonus]), grants)
  expect(ids(shown)).toEqual(['late', 'soon'])
  expect(firstOf(shown.map(({ heldUntil }) => heldUntil))).toBe(grants[1]?.heldUntil)
  expect(firstOf([null])).toBeUndefined()
  const requires = [true, false].map((isMet) => ({
    isMet,
    goal: { name: isMet ? 'Done' : 'Open' },
  }))
  expect(missingOf(goalOf('last', [], { requires }))).toBe('Open')
})

test('gifts are points without a goal that the user does not have yet', () => {
  const bonus = rewardOf('bonus')
  const grants = [
    grantOf('ready', bonus),
    grantOf('held', bonus, { status: 'HELD', needsClaim: false, heldUntil: at(1_000) }),
    grantOf('late', bonus, { claimExpiresAt: at(-1_000) }),
    grantOf('alone', bonus, { needsClaim: false }),
    grantOf('got', bonus, { status: 'ISSUED' }),
    grantOf('badge', rewardOf('badge', 'BADGE')),
    grantOf('goal', bonus, { goalCompletion: { goal: { slug: 'one' } } }),
  ]
  expect(ids(giftsOf(grants))).toEqual(['ready', 'held'])
})

test('badges: to claim first, then what is on the way, then the newest, then those of goals that can still give them', () => {
  const badge = (name: string) => rewardOf(name, 'BADGE')
  const issued = (name: string, ms: number) =>
    grantOf(`${name}${ms}`, badge(name), { status: 'ISSUED', issuedAt: at(ms) })
  const open = (name: string, rate: number, more: Partial<UserGoal> = {}) =>
    goalOf(`${name}-${rate}`, [badge(name), rewardOf('points')], {
      state: 'IN_PROGRESS',
      nextAction: 'NONE',
      tasks: [taskOf({ rate })],
      ...more,
    })
  const badges = badgesOf(
    [
      open('far', 0.1),
      open('far', 0.6),
      open('old', 0.5),
      open('missed', 0.5, { state: 'MISSED' }),
      open('again', 0, { state: 'MISSED', nextAction: 'JOIN' }),
    ],
    [
      issued('new', -1),
      grantOf('r', badge('ready')),
      grantOf('h', badge('held'), { status: 'HELD', needsClaim: false, heldUntil: at(1_000) }),
      grantOf('p', rewardOf('points'), { status: 'ISSUED' }),
      issued('old', -100),
      issued('old', -200),
    ],
  )
  expect(
    badges.map(({ reward, issued, goal }) => [reward.name, issued.length, goal?.goal.slug]),
  ).toEqual([
    ['ready', 0, undefined],
    ['held', 0, undefined],
    ['new', 1, undefined],
    ['old', 2, undefined],
    ['far', 0, 'far-0.6'],
    ['again', 0, 'again-0'],
  ])
})

test('times are said in words, and names are made readable', () => {
  const say = createSay('en')
  const [minute, hour] = [60_000, 3_600_000]
  expect(say.until(at(-5_000))).toBe('in 1 minute')
  expect(say.until(at(90 * minute + 500))).toBe('in 90 minutes')
  expect(say.until(at(47 * hour + 500))).toBe('in 47 hours')
  expect(say.until(at(71 * hour))).toBe('in 2 days')
  expect(createSay('de').until(at(3 * hour + 500))).toBe('in 3 Stunden')
  expect(words('daily_login')).toBe('Daily login')
  expect(words('welcome-bonus')).toBe('Welcome bonus')
  expect(words('Early-bird special')).toBe('Early-bird special')
})
