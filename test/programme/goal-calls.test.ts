/**
 * Goals as partners configure them and users see them, by the API.
 * Neighbours that were looked for: every transition of a status, what a started goal refuses, inputs that do not fit together,
 * the limit of measures, secret goals, joins that are refused, and a segment that a goal uses.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { createWorld, type World } from '../world.ts'
import { countAll } from './goals.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The payload of a mutation of a goal, or its error. */
const goalCall =
  (name: string) =>
  async (
    input: object,
    selection = 'goal { slug name status version maxCompletions window startedAt endsAt }',
  ) => {
    const { body, text } = await world.graphql(
      `mutation ($input: ${capital(name)}Input!) { result: ${name}(input: $input) {
        __typename ... on ${capital(name)}Payload { ${selection} } ... on Error { code message } } }`,
      { input },
    )
    if (!body.data?.result) throw new Error(text)
    return body.data.result.goal ?? body.data.result
  }
const create = goalCall('createGoal')
const update = goalCall('updateGoal')
const start = goalCall('startGoal')
const pause = goalCall('pauseGoal')
const end = goalCall('endGoal')
const clone = goalCall('cloneGoal')
const remove = goalCall('deleteGoal')

const draftOf = (more: object = {}) => {
  const slug = `goal-${randomUUID()}`
  const measure = { facts: ['ACTIVITY'], eventTypes: [slug] }
  const core = { name: 'A goal', window: 'EVER', repeat: 'ONCE', tasks: [{ target: 1, measure }] }
  return { slug, ...core, ...more }
}
const by = ({ slug }: { slug: string }) => ({ goal: { slug } })

test('a goal goes through its statuses, and through no other', async () => {
  const draft = draftOf()
  expect(await create(draft)).toMatchObject({ status: 'DRAFT', version: 1, startedAt: null })
  expect(await create(draft)).toMatchObject({ code: 'GOAL_SLUG_TAKEN' })
  expect(await pause(by(draft))).toMatchObject({ code: 'GOAL_STATUS_CONFLICT' })
  expect(await end(by(draft))).toMatchObject({ code: 'GOAL_STATUS_CONFLICT' })
  expect(await start(by(draft))).toMatchObject({ status: 'ACTIVE', version: 2 })
  expect(await start(by(draft))).toMatchObject({ code: 'GOAL_STATUS_CONFLICT' })
  expect(await remove(by(draft))).toMatchObject({ code: 'GOAL_STATUS_CONFLICT' })
  expect(await pause(by(draft))).toMatchObject({ status: 'PAUSED', version: 3 })
  expect(await start(by(draft))).toMatchObject({ status: 'ACTIVE', version: 4 })
  expect(await end(by(draft))).toMatchObject({ status: 'ENDED', version: 5 })
  expect(await update({ ...by(draft), name: 'Late' })).toMatchObject({
    code: 'GOAL_STATUS_CONFLICT',
  })
  expect(await start(by(draft))).toMatchObject({ code: 'GOAL_STATUS_CONFLICT' })
  expect(await clone({ ...by(draft), slug: `${draft.slug}-2` })).toMatchObject({
    status: 'DRAFT',
    version: 1,
    startedAt: null,
    endsAt: null,
    name: 'A goal',
  })
  expect(await remove({ goal: { slug: `${draft.slug}-2` } })).toMatchObject({
    slug: `${draft.slug}-2`,
  })
  expect(await start({ goal: { slug: 'unknown' } })).toMatchObject({ code: 'GOAL_NOT_FOUND' })
})

test('a started goal keeps what it counts, and changes its texts, end and rewards', async () => {
  const draft = draftOf()
  await create(draft)
  expect(await update({ ...by(draft), repeat: 'UNLIMITED' })).toMatchObject({
    maxCompletions: null,
  })
  expect(await update({ ...by(draft), maxCompletions: 7 })).toMatchObject({ maxCompletions: 7 })
  await start(by(draft))
  for (const change of [
    { repeat: 'ONCE' },
    { window: 'DAY' },
    { countFrom: 'EVER' },
    { tasks: draft.tasks },
  ])
    expect(await update({ ...by(draft), ...change })).toMatchObject({ code: 'VALIDATION_FAILED' })
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  expect(await update({ ...by(draft), name: 'Better', endsAt })).toMatchObject({
    name: 'Better',
    endsAt,
  })
  const past = new Date(Date.now() - 1000).toISOString()
  expect(await update({ ...by(draft), endsAt: past })).toMatchObject({ code: 'VALIDATION_FAILED' })
  await countAll(world.runtime)
})

test.each([
  ['no window', { window: null }],
  ['a window with OPT_IN', { joinMode: 'OPT_IN', window: 'DAY' }],
  ['JOIN without OPT_IN', { window: 'JOIN' }],
  ['a limit of hours without OPT_IN', { timeLimitHours: 5 }],
  ['a limit of completions of a goal that is completed once', { maxCompletions: 5 }],
  ['days to claim what nobody claims', { claimDays: 5 }],
  ['no task', { tasks: [] }],
  [
    'an attribute without its name',
    { tasks: [{ target: 1, measure: { facts: ['ACTIVITY'], of: 'ATTRIBUTE' } }] },
  ],
  [
    'a target with four decimals',
    { tasks: [{ target: 1.0001, measure: { facts: ['ACTIVITY'] } }] },
  ],
  [
    'a number for a test of text',
    {
      tasks: [
        {
          target: 1,
          measure: { facts: ['ACTIVITY'], where: [{ key: 'a', test: 'IS', number: 1 }] },
        },
      ],
    },
  ],
  ['nine tasks', { tasks: Array(9).fill({ target: 1, measure: { facts: ['ACTIVITY'] } }) }],
  ['a malformed slug', { slug: 'Not a slug' }],
])('refuses %s', async (_, more) => {
  expect(await create(draftOf(more))).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('refuses what does not exist, and a segment that public keys decide for a goal with rewards', async () => {
  expect(await create(draftOf({ rewards: [{ slug: 'none' }] }))).toMatchObject({
    code: 'REWARD_NOT_FOUND',
  })
  expect(await create(draftOf({ requires: [{ slug: 'none' }] }))).toMatchObject({
    code: 'GOAL_NOT_FOUND',
  })
  expect(await create(draftOf({ segmentId: randomUUID() }))).toMatchObject({
    code: 'SEGMENT_NOT_FOUND',
  })
  const { body } = await world.graphql(`mutation {
    segment: createSegment(input: { name: "swiss", country: "CH" }) { ... on CreateSegmentPayload { segment { uuid } } }
    reward: createReward(input: { name: "cup", kind: BADGE }) { __typename }
  }`)
  const segmentId = body.data.segment.segment.uuid
  expect(await create(draftOf({ segmentId, rewards: [{ slug: 'cup' }] }))).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await world.graphql(`mutation { updateSegment(input: { segment: { name: "swiss" }, country: null,
    lastSeenDaysAgo: { max: 3 } }) { __typename } }`)
  expect(await create(draftOf({ segmentId, rewards: [{ slug: 'cup' }] }))).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  expect(await create(draftOf({ segmentId }))).toMatchObject({ status: 'DRAFT' })
  const deleted = await world.graphql(
    'mutation { deleteSegment(input: { segment: { name: "swiss" } }) { ... on Error { code } } }',
  )
  expect(deleted.body.data.deleteSegment).toEqual({ code: 'SEGMENT_IN_USE' })
})

test('at most 20 active measures meet in an event type', async () => {
  const measure = { facts: ['ACTIVITY'], eventTypes: ['crowded'] }
  const eight = Array(8).fill({ target: 1, measure })
  const drafts = [0, 1, 2].map(() => draftOf({ tasks: eight }))
  for (const draft of drafts) await create(draft)
  const [first, second, third] = drafts as [
    (typeof drafts)[0],
    (typeof drafts)[0],
    (typeof drafts)[0],
  ]
  expect(await start(by(first as never))).toMatchObject({ status: 'ACTIVE' })
  expect(await start(by(second as never))).toMatchObject({ status: 'ACTIVE' })
  expect(await start(by(third as never))).toMatchObject({ code: 'TOO_MANY_MEASURES' })
  await countAll(world.runtime)
})

/** Waits until deciders are told that something is due. */
const nextCall = () => {
  const heard = Promise.withResolvers<void>()
  const stop = world.runtime.pubsub.on('goal', () => heard.resolve())
  return { isHeard: heard.promise, stop }
}

test('a goal that continues after a pause wakes the deciders, which find what was reached meanwhile', async () => {
  const draft = draftOf()
  await create(draft)
  await start(by(draft))
  await countAll(world.runtime)
  await pause(by(draft))
  const tracked = nextCall()
  await track('pam', draft.slug)
  await tracked.isHeard
  tracked.stop()
  await decideGoals(world.runtime)
  const stateOfPam = async () =>
    (await goalsOfUser('pam')).find(({ goal }) => goal.slug === draft.slug)?.state
  expect(await stateOfPam()).toBe('IN_PROGRESS')
  const { isHeard, stop } = nextCall()
  await start(by(draft))
  await isHeard
  stop()
  await decideGoals(world.runtime)
  expect(await stateOfPam()).toBe('COMPLETED')
})

const goalsOfUser = async (userId: string, keys?: object) => {
  const { body, text } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { goals(first: 100) {
      nodes { goal { slug } state nextAction completionCount tasks { value target rate } } } } }`,
    { id: userId },
    keys,
  )
  if (!body.data?.user) throw new Error(text)
  return body.data.user.goals.nodes as { goal: { slug: string }; state: string }[]
}

const track = (userId: string, eventType: string) =>
  world.graphql(
    `mutation ($input: TrackActivityInput!) { trackActivity(input: $input) { __typename } }`,
    { input: { user: { externalId: userId }, category: 'CUSTOM', eventType } },
  )

test('a secret goal is hidden from public keys until the user has completed it', async () => {
  const draft = draftOf({ isSecret: true })
  await create(draft)
  await start(by(draft))
  await countAll(world.runtime)
  await world.givePoints('sue', 1)
  const ofPublic = { public: world.keys.public }
  const isShown = async () =>
    (await goalsOfUser('sue', ofPublic)).some(({ goal }) => goal.slug === draft.slug)
  expect(await isShown()).toBe(false)
  const item = (await goalsOfUser('sue')).find(({ goal }) => goal.slug === draft.slug)
  expect(item).toMatchObject({ state: 'AVAILABLE', tasks: [{ value: 0, target: 1, rate: 0 }] })
  await track('sue', draft.slug)
  await decideGoals(world.runtime)
  expect(await isShown()).toBe(true)
  const { body } = await world.get('/v1/goals', world.keys.public)
  expect(body.data.map(({ slug }: { slug: string }) => slug)).not.toContain(draft.slug)
})

test('a user joins a goal with opt-in, which counts from then on', async () => {
  const draft = draftOf({ joinMode: 'OPT_IN', window: undefined, timeLimitHours: 2 })
  await create(draft)
  await start(by(draft))
  await countAll(world.runtime)
  await world.givePoints('tom', 1)
  await track('tom', draft.slug)
  const join = (userId: string, headers: object = { 'x-api-secret': world.keys.secret }) =>
    world.call('POST', `/v1/users/${userId}/goals/${draft.slug}/join`, { headers } as never)
  const alone = await join('tom', { 'x-api-key': world.keys.public })
  expect([alone.status, alone.body.errorCode]).toEqual([401, 'MISSING_USER_TOKEN'])
  expect((await join('nobody')).status).toBe(404)
  const joined = await join('tom')
  expect(joined.body.data).toMatchObject({
    slug: draft.slug,
    state: 'IN_PROGRESS',
    nextAction: 'NONE',
  })
  expect((await join('tom')).body.errorCode).toBe('GOAL_JOINED')
  await track('tom', draft.slug)
  await decideGoals(world.runtime)
  const item = (await goalsOfUser('tom')).find(({ goal }) => goal.slug === draft.slug)
  expect(item).toMatchObject({ state: 'COMPLETED', completionCount: 1, tasks: [{ value: 1 }] })
})
