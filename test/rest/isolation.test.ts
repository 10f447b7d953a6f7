import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { demoMechanics } from '../../src/demo/demo.ts'
import { setGameMechanic } from '../../src/games/mechanic.ts'
import type { KeyKind } from '../../src/kit/access/context.ts'
import { setRewardRule } from '../../src/points/reward-rule.ts'
import { createGoal, startGoal } from '../../src/programme/goal.ts'
import { createReward } from '../../src/programme/reward.ts'
import type { Route } from '../../src/rest/route.ts'
import { routes } from '../../src/rest/routes.ts'
import { digestsOfOthers } from '../digests-of-others.ts'
import { operationsOf } from '../graphql/documents.ts'
import { type Answer, createWorld, type Keys, type World } from '../world.ts'

/** Part of every text of partner B and of LIVE; partner A's TEST keys must never see it. */
const mark = `mark${randomUUID().slice(0, 8)}`
const foreignUser = `${mark}-user`
const foreignRule = `${mark}-rule`
const unknown = { user: 'nobody', rule: 'no-rule', uuid: '00000000-0000-7000-8000-000000000000' }

let world: World
let foreign: { keys: Keys; partnerId: string; environment: 'TEST' | 'LIVE' }[]

/** Fills an environment with marked strings, by the functions and routes that write them. */
const fill = async ({ keys, ...tenant }: (typeof foreign)[number]) => {
  const { runtime } = world
  await setRewardRule(runtime, { ...tenant, eventType: foreignRule, points: 1000 })
  for (const mechanic of demoMechanics)
    await setGameMechanic(runtime, {
      ...tenant,
      ...mechanic,
      name: `${mark} name`,
      description: `${mark} description`,
      imageUrl: `https://${mark}.example/a.png`,
      rewards: mechanic.rewards.map((reward) => ({ ...reward, label: `${mark} label` })),
    })
  await world.post('/v1/points/award', keys.secret, {
    userId: foreignUser,
    eventType: foreignRule,
    displayName: `${mark} display`,
    email: `${mark}@x.example`,
    reference: `${mark}-reference`,
    metadata: { [mark]: mark },
  })
  const play = { userId: foreignUser, gameType: 'NEON_WHEEL' }
  expect((await world.post('/v1/games/play', keys.public, play)).status).toBe(200)
  const shown = { name: foreignRule, description: `${mark} reward` }
  await createReward(runtime, { ...tenant, ...shown, kind: 'BADGE' })
  await createGoal(runtime, {
    ...tenant,
    slug: foreignRule,
    name: `${mark} goal`,
    window: 'DAY',
    repeat: 'EACH_WINDOW',
    tasks: [{ target: 1, measure: { facts: ['POINTS_AWARDED'] } }],
    streak: {},
  })
  await startGoal(runtime, { ...tenant, goal: { slug: foreignRule } })
  const gift = { reward: foreignRule, note: `${mark} note` }
  const given = await world.post(`/v1/users/${foreignUser}/grants`, keys.secret, gift)
  expect(given.status).toBe(200)
  const { id: applicationId } = await runtime.db.application.findFirstOrThrow({
    where: { partnerId: tenant.partnerId },
  })
  await createApiKey(runtime, { ...tenant, applicationId, kind: 'SECRET', label: `${mark} key` })
}

beforeAll(async () => {
  // The tests compare whole tables, in which nobody else may write.
  world = await createWorld({ isAlone: true })
  const other = await world.createPartner(`${mark}-partner`)
  foreign = [
    { keys: other.test, partnerId: other.partnerId, environment: 'TEST' },
    { keys: other.live, partnerId: other.partnerId, environment: 'LIVE' },
    { keys: world.partner.live, partnerId: world.partner.partnerId, environment: 'LIVE' },
  ]
  for (const tenant of foreign) await fill(tenant)
  await world.givePoints('ann', 2)
  await world.post('/v1/games/play', world.keys.public, { userId: 'ann', gameType: 'NEON_WHEEL' })
})
afterAll(() => world.end())

/** Ids of all foreign rows, by GraphQL type. */
const foreignIds = async () => {
  const { db } = world.runtime
  const where = { OR: foreign.map(({ partnerId, environment }) => ({ partnerId, environment })) }
  const select = { id: true } as const
  const rows = {
    User: await db.endUser.findMany({ where, select }),
    Play: await db.play.findMany({ where, select }),
    LedgerEntry: await db.ledgerEntry.findMany({ where, select }),
    GameMechanic: await db.gameMechanic.findMany({ where, select }),
    RewardRule: await db.rewardRule.findMany({ where, select }),
    Reward: await db.reward.findMany({ where, select }),
    Grant: await db.rewardGrant.findMany({ where, select }),
    ApiKey: await db.apiKey.findMany({ where, select }),
  }
  return Object.entries(rows).flatMap(([type, list]) => list.map(({ id }) => ({ type, id })))
}

const globalId = ({ type, id }: { type: string; id: string }) =>
  Buffer.from(`${type}:${id}`).toString('base64url')

/** An answer without the parts that differ between requests. */
const gist = ({ status, text }: Answer, sent: string) => [
  status,
  text
    .replace(/"requestId":"[^"]+"/, '')
    .replace(/"token":"[^"]+"/, '')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '')
    .replaceAll(sent, '…'),
]

const inputs = {
  play: (user: string) => ({ userId: user, gameType: 'NEON_WHEEL' }),
  award: (_: string, rule: string) => ({ userId: 'ann', eventType: rule }),
}

const bodyOf = (path: string, user: string, rule: string) => {
  if (path.endsWith('/play')) return inputs.play(user)
  if (path.endsWith('/grants')) return { reward: rule }
  if (!path.endsWith('/batch')) return inputs.award(user, rule)
  return { awards: [{ ...inputs.award(user, rule), reference: `${mark}-reference` }] }
}

/** The input with the user as GraphQL names it. */
const named = ({ userId, ...input }: { userId: string }) => ({
  user: { externalId: userId },
  ...input,
})

describe("partner A's TEST keys", () => {
  test.each(
    // The other groups have their own tests of isolation.
    routes.filter(({ path }) =>
      /^\/v1\/(games|users|points|leaderboard)\b/.test(path),
    ) as (Route & {
      key: KeyKind
    })[],
  )('see nothing foreign by $method $path', async ({ method, path, key, takesSecret }) => {
    const url = (user: string) =>
      `${path.replace('{userId}', user).replace('{gameType}', 'NEON_WHEEL')}?limit=100`
    const call = (user: string, rule: string, keys: Keys) =>
      world.call(method, method === 'GET' ? url(user) : path.replace('{userId}', user), {
        key: keys[takesSecret ? 'secret' : key],
        ...(method === 'POST' && {
          body: bodyOf(path, user, rule),
        }),
      })
    const answer = await call(foreignUser, foreignRule, world.keys)
    // The answer may repeat who was asked for.
    expect(answer.text.replaceAll(foreignUser, '')).not.toContain(mark)
    const expected = await call(unknown.user, unknown.rule, world.keys)
    if (method === 'POST' || path.includes('{userId}'))
      expect(gist(answer, foreignUser)).toEqual(gist(expected, unknown.user))
    // The owner sees it, so the test can fail.
    if (method === 'GET')
      expect((await call(foreignUser, foreignRule, foreign[0]?.keys as Keys)).text).toContain(
        // Seeds name nobody.
        path.endsWith('/play-seeds') ? 'commitment' : mark,
      )
  })

  /** The key by which an object is looked up; all other fields take a user. */
  const keyOf: Record<string, string> = {
    arenaGame: 'slug',
    campaign: 'slug',
    lottery: 'slug',
    publicCampaign: 'slug',
    publicLottery: 'slug',
    reward: 'slug',
    goal: 'slug',
    previewGoal: 'slug',
    segment: 'name',
  }

  const variables = (name: string, user: string, id: string) => ({
    by: { [keyOf[name] ?? 'externalId']: user },
    gameType: 'NEON_WHEEL',
    distance: 50,
    id,
    ids: [id],
  })

  test.each(operationsOf('query', 2))(
    'see nothing foreign by $name',
    async ({ name, document }) => {
      const ids = name.startsWith('node')
        ? await foreignIds()
        : [{ type: 'User', id: unknown.uuid }]
      if (name.startsWith('node')) expect(ids.length).toBeGreaterThan(20)
      for (const { type, id } of ids) {
        const sent = globalId({ type, id })
        const answer = await world.graphql(document, variables(name, foreignUser, sent))
        expect(answer.text).not.toContain(mark)
        expect(answer.status).toBeLessThan(500)
        const nobody = globalId({ type, id: unknown.uuid })
        const expected = await world.graphql(document, variables(name, unknown.user, nobody))
        expect(gist(answer, sent)).toEqual(gist(expected, nobody))
      }
    },
  )

  test('cannot continue after a foreign cursor', async () => {
    for (const list of ['leaderboard', 'rewardRules', 'apiKeys']) {
      const first = `{ list: ${list}(first: 1) { pageInfo { endCursor } } }`
      const { body } = await world.graphql(first, {}, foreign[0]?.keys)
      const after = body.data.list.pageInfo.endCursor
      const document = operationsOf('query', 2).find(({ name }) => name === list)?.document ?? ''
      const answer = await world.graphql(document, { after })
      expect(answer.body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
      expect(answer.text).not.toContain(mark)
    }
  })

  test('change nothing foreign by any mutation', async () => {
    const before = await digestsOfOthers(world)
    const keyIds = (await foreignIds()).filter(({ type }) => type === 'ApiKey').map(({ id }) => id)
    const tries = [
      ['playGame', named(inputs.play(foreignUser)), named(inputs.play(unknown.user))],
      ['awardPoints', named(inputs.award('', foreignRule)), named(inputs.award('', unknown.rule))],
      ['deleteRewardRule', { eventType: foreignRule }, { eventType: unknown.rule }],
      ...keyIds.map(
        (apiKeyId) => ['revokeApiKey', { apiKeyId }, { apiKeyId: unknown.uuid }] as const,
      ),
    ] as const
    // A member may do what a secret key may, and more.
    const by = { bearer: await world.signInAs('OWNER') }
    for (const [name, input, harmless] of tries) {
      const { document } = operationsOf('mutation', 1).find((item) => item.name === name) ?? {}
      const answer = await world.graphql(document ?? '', { input }, by)
      expect(Object.values(answer.body.data)).toMatchObject([
        { __typename: expect.stringMatching(/Error$/) },
      ])
      expect(gist(answer, '')).toEqual(
        gist(await world.graphql(document ?? '', { input: harmless }, by), ''),
      )
    }
    expect(await digestsOfOthers(world)).toEqual(before)
  })

  test('count only their own data', async () => {
    const { body } = await world.graphql(
      '{ leaderboard { totalCount { value } } rewardRules { totalCount { value } } apiKeys { totalCount { value } } }',
    )
    const { leaderboard, rewardRules, apiKeys } = body.data
    expect([leaderboard, rewardRules, apiKeys].map(({ totalCount }) => totalCount.value)).toEqual([
      1, 4, 2,
    ])
  })
})
