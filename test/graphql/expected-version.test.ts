/** A change of configuration may state the version that it is based on. */

import { randomUUID } from 'node:crypto'
import {
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usd } from '../../src/kit/money.ts'
import { schema } from '../../src/schema.ts'
import { createArena } from '../arena/arena-world.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'
import { restorationsIn } from './restorations.ts'

/** A mutation that changes an object: the field of its payload, its input, and the input of a second change. */
type Change = {
  mutation: string
  field: string
  input(): Promise<object> | object
  other: object
  /** The fields to select, and whether the object has a global id. */
  shows: string
  isNode: boolean
  /** Only members may change it. */
  isForMembers?: true
}

let world: World

const rules = {
  mainRange: { count: 1, min: 1, max: 9 },
  tiers: [{ name: 'All', mainMatches: 1, bonusMatches: 0, prize: { amount: usd(100) } }],
}

const lotteryId = async () => {
  const { body } = await world.graphql(
    `mutation ($input: CreateLotteryInput!) {
      createLottery(input: $input) { ... on CreateLotteryPayload { lottery { id } } }
    }`,
    { input: { slug: 'weekly', name: 'Weekly', frequency: 'WEEKLY', rules } },
  )
  return body.data.createLottery.lottery.id as string
}

/** A draft. */
const makeGoal = async () => {
  const slug = `goal-${randomUUID()}`
  const { body } =
    await world.graphql(`mutation { createGoal(input: { slug: "${slug}", name: "Goal",
    window: EVER, repeat: ONCE, tasks: [{ target: 1, measure: { facts: [ACTIVITY], eventTypes: ["${slug}"] } }]
  }) { __typename } }`)
  expect(body.data.createGoal.__typename).toBe('CreateGoalPayload')
  return { slug }
}

const makeStartedGoal = async () => {
  const goal = await makeGoal()
  const start = 'mutation ($input: StartGoalInput!) { startGoal(input: $input) { __typename } }'
  await world.graphql(start, { input: { goal } })
  return goal
}

const makeReward = async () => {
  const name = `reward ${randomUUID()}`
  const create = `mutation { createReward(input: { name: "${name}", kind: BADGE }) { __typename } }`
  await world.graphql(create)
  return { slug: name.replace(' ', '-') }
}

const makeOfferRule = async (isPaused: boolean) => {
  const { body } = await world.graphql(`mutation {
    setOfferRule(input: { stage: NEW, offerType: WELCOME_BONUS }) {
      ... on SetOfferRulePayload { offerRule { id } } } }`)
  const { id } = body.data.setOfferRule.offerRule
  const pause = `mutation { pauseOfferRule(input: { offerRuleId: "${id}" }) { __typename } }`
  if (isPaused) await world.graphql(pause)
  return id as string
}

/** Mutations that can be done once. */
const steps: Pick<Change, 'mutation' | 'field' | 'input' | 'shows'>[] = [
  ...restorationsIn(() => world, rules),
  {
    mutation: 'startGoal',
    field: 'goal',
    shows: 'status',
    input: async () => ({ goal: await makeGoal() }),
  },
  ...['pauseGoal', 'endGoal'].map((mutation) => ({
    mutation,
    field: 'goal',
    shows: 'status',
    input: async () => ({ goal: await makeStartedGoal() }),
  })),
  {
    mutation: 'archiveReward',
    field: 'reward',
    shows: 'archivedAt',
    input: async () => ({ reward: await makeReward() }),
  },
  ...['pauseOfferRule', 'resumeOfferRule'].map((mutation) => ({
    mutation,
    field: 'offerRule',
    shows: 'pausedAt',
    input: async () => ({ offerRuleId: await makeOfferRule(mutation === 'resumeOfferRule') }),
  })),
]

const changes: Change[] = [
  {
    mutation: 'setGame',
    field: 'game',
    shows: 'segments: config { segments }',
    isNode: true,
    input: () => ({
      gameType: 'NEON_WHEEL',
      name: 'Wheel',
      description: 'A wheel.',
      price: 50,
      segments: 12,
      rewards: [{ tier: 'COMMON', type: 'POINTS', value: 5, label: '5', weight: 1 }],
    }),
    other: { segments: 24 },
  },
  {
    mutation: 'setRewardRule',
    field: 'rewardRule',
    shows: 'points',
    isNode: true,
    input: () => ({ eventType: 'versioned', points: 1 }),
    other: { points: 2 },
  },
  {
    mutation: 'setOfferRule',
    field: 'offerRule',
    shows: 'title',
    isNode: true,
    input: () => ({ stage: 'CHURNED', offerType: 'VIP_PLAY', title: 'Come back' }),
    other: { title: 'Please' },
  },
  {
    ...{ mutation: 'updateBrand', field: 'brand', isNode: false, shows: 'promoter' },
    ...{ input: () => ({ promoter: 'Acme' }), other: { promoter: 'Acme Ltd' } },
  },
  {
    ...{ mutation: 'setClassificationRules', field: 'classificationRules', isNode: false },
    ...{ shows: 'newDays', input: () => ({ newDays: 8 }), other: { newDays: 9 } },
  },
  {
    mutation: 'updateCampaign',
    field: 'campaign',
    isNode: true,
    shows: 'eventRules { eventType points }',
    input: async () => ({
      campaign: { slug: await makeCampaign(world, 'summer-sale') },
      eventRules: [{ eventType: 'visit', points: 1 }],
    }),
    other: { eventRules: [{ eventType: 'visit', points: 3 }] },
  },
  {
    mutation: 'updateLottery',
    field: 'lottery',
    shows: 'name',
    isNode: true,
    input: async () => ({ lottery: { id: await lotteryId() } }),
    other: { name: 'Every week' },
  },
  {
    mutation: 'updateSegment',
    field: 'segment',
    shows: 'engagementTier country',
    isNode: true,
    input: async () => {
      const create = 'mutation { createSegment(input: { name: "new", stage: NEW }) { __typename } }'
      await world.graphql(create)
      return { segment: { name: 'new' }, engagementTier: 'CASUAL' }
    },
    other: { engagementTier: 'WHALE', country: 'CH' },
  },
  {
    mutation: 'updateGoal',
    field: 'goal',
    shows: 'status name',
    isNode: true,
    input: async () => ({ goal: await makeGoal(), name: 'A goal' }),
    other: { name: 'Another goal' },
  },
  {
    mutation: 'updateReward',
    field: 'reward',
    shows: 'points stock',
    isNode: true,
    input: async () => {
      const create =
        'mutation { createReward(input: { name: "bonus", kind: POINTS, points: 5 }) { __typename } }'
      await world.graphql(create)
      return { reward: { slug: 'bonus' }, points: 6 }
    },
    other: { points: 7, stock: 10 },
  },
  {
    mutation: 'updateWebhookEndpoint',
    field: 'webhookEndpoint',
    shows: 'description',
    isNode: true,
    input: async () => {
      const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
      const { id } = (await world.post('/v1/webhooks', world.keys.secret, body)).body.data
      return { webhookEndpointId: id, description: 'first' }
    },
    other: { description: 'second' },
  },
  {
    mutation: 'updateApplication',
    field: 'application',
    shows: 'name',
    isNode: true,
    isForMembers: true,
    input: () => ({ applicationId: world.partner.applicationId }),
    other: { name: 'The other name' },
  },
  {
    mutation: 'updateArenaGame',
    field: 'arenaGame',
    shows: 'description buildVersion',
    isNode: true,
    isForMembers: true,
    input: async () => ({
      arenaGame: { id: (await (await createArena(world)).publish()).id },
      description: 'A race.',
    }),
    other: { description: 'A long race.' },
  },
  {
    mutation: 'updateArenaAgent',
    field: 'arenaAgent',
    shows: 'displayName',
    isNode: true,
    isForMembers: true,
    input: async () => ({
      arenaAgentId: (await makeAgent(world.runtime, world.partner.partnerId, 'random')).id,
      displayName: 'Ada',
    }),
    other: { displayName: 'Blaise' },
  },
]

const inputs = new Map<string, object>()
let member: { bearer: string; environment: 'LIVE' }

beforeAll(async () => {
  world = await createWorld()
  member = { bearer: await world.signInAs('OWNER'), environment: 'LIVE' }
  for (const { mutation, input } of changes) inputs.set(mutation, await input())
})
afterAll(() => world.end())

const change = async (
  { mutation, field, shows, isForMembers }: Omit<Change, 'input' | 'other' | 'isNode'>,
  more: object = {},
) => {
  const Name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`
  const { body, text } = await world.graphql(
    `mutation ($input: ${Name}Input!) { result: ${mutation}(input: $input) {
      __typename
      ... on ${Name}Payload { ${field} { version ${shows} } }
      ... on Error { code }
      ... on ConflictError { expectedVersion currentVersion current { id __typename } }
    } }`,
    { input: { ...inputs.get(mutation), ...more } },
    isForMembers ? member : world.keys,
  )
  expect(body.errors, text).toBeUndefined()
  return body.data.result
}

const entriesOf = (action: string) => world.runtime.db.auditEntry.count({ where: { action } })

test('every mutation that takes an expected version is tested here', () => {
  const taking = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ args }) => {
    const type = args[0] && getNamedType(args[0].type)
    return isInputObjectType(type) && 'expectedVersion' in type.getFields()
  })
  expect(taking.map(({ name }) => name).sort()).toEqual(
    [...changes, ...steps].map(({ mutation }) => mutation).sort(),
  )
})

describe.each(changes)('$mutation', (item) => {
  test('without a version it changes the current object, and each change increments the version', async () => {
    const first = await change(item)
    const second = await change(item, item.other)
    expect(second[item.field].version).toBe(first[item.field].version + 1)
    expect(second[item.field]).not.toEqual({
      ...first[item.field],
      version: second[item.field].version,
    })
  })

  test('with the current version it changes the object', async () => {
    const seen = (await change(item))[item.field]
    const changed = await change(item, { ...item.other, expectedVersion: seen.version })
    expect(changed[item.field].version).toBe(seen.version + 1)
  })

  test('with another version it changes nothing, returns both versions and the current object, and writes no audit entry', async () => {
    const seen = (await change(item))[item.field]
    const now = (await change(item, item.other))[item.field]
    const before = await entriesOf(item.mutation)
    for (const expectedVersion of [seen.version, 0, now.version + 1])
      expect(await change(item, { expectedVersion })).toEqual({
        __typename: 'ConflictError',
        code: 'CONFLICT',
        expectedVersion,
        currentVersion: now.version,
        current: item.isNode ? { id: expect.any(String), __typename: expect.any(String) } : null,
      })
    expect(await entriesOf(item.mutation)).toBe(before)
    const after = (await change(item, { ...item.other, expectedVersion: now.version }))[item.field]
    expect(after).toEqual({ ...now, version: now.version + 1 })
  })

  test('of eight simultaneous calls with the same version, exactly one succeeds', async () => {
    const seen = (await change(item))[item.field]
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => change(item, { expectedVersion: seen.version })),
    )
    const refused = answers.filter(({ code }) => code === 'CONFLICT')
    expect(refused).toHaveLength(7)
    expect(refused.map(({ currentVersion }) => currentVersion)).toEqual(
      refused.map(() => seen.version + 1),
    )
  })
})

describe.each(steps)('$mutation', (item) => {
  test('with another version it changes nothing, and returns both versions', async () => {
    const input = await item.input()
    for (const expectedVersion of [0, 99])
      expect(await change(item, { ...input, expectedVersion })).toMatchObject({
        code: 'CONFLICT',
        expectedVersion,
        current: { id: expect.any(String), __typename: expect.any(String) },
      })
    const { currentVersion } = await change(item, { ...input, expectedVersion: 99 })
    const done = await change(item, { ...input, expectedVersion: currentVersion })
    expect(done[item.field].version).toBe(currentVersion + 1)
  })

  test('of eight simultaneous calls with the same version, exactly one succeeds', async () => {
    const input = await item.input()
    const { currentVersion } = await change(item, { ...input, expectedVersion: 99 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => change(item, { ...input, expectedVersion: currentVersion })),
    )
    expect(answers.filter((answer) => answer[item.field])).toHaveLength(1)
  })
})

test('a deleted rule is not created again, and of eight simultaneous creations exactly one succeeds', async () => {
  const { rewardRule } = (await change(changes[1] as Change, { eventType: 'gone' })) as {
    rewardRule: { version: number }
  }
  await world.graphql(`mutation { deleteRewardRule(input: { eventType: "gone" }) { __typename } }`)
  const rules = { where: { ...world.tenant, eventType: 'gone' } }
  const late = { eventType: 'gone', expectedVersion: rewardRule.version }
  expect(await change(changes[1] as Change, late)).toMatchObject({
    code: 'CONFLICT',
    currentVersion: 0,
    current: null,
  })
  expect(await world.runtime.db.rewardRule.count(rules)).toBe(0)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      change(changes[1] as Change, { eventType: 'gone', expectedVersion: 0 }),
    ),
  )
  expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(7)
  expect(await world.runtime.db.rewardRule.findFirst(rules)).toMatchObject({ version: 1 })
})

test('a negative version is refused', async () => {
  const refused = await change(changes[1] as Change, { expectedVersion: -1 })
  expect(refused.code).toBe('VALIDATION_FAILED')
})

test('every type with an expected version is Versioned, and so is what a conflict shows', () => {
  const versioned = schema.getType('Versioned') as GraphQLInterfaceType
  const types = schema.getPossibleTypes(versioned).map(({ name }) => name)
  const withVersion = schema
    .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
    .filter((type) => type.getFields().version?.description === 'Counts its changes: 1, 2, 3, …')
  expect(types.sort()).toEqual(withVersion.map(({ name }) => name).sort())
  const conflict = schema.getType('ConflictError') as GraphQLObjectType
  expect(String(conflict.getFields().current?.type)).toBe('Versioned')
})
