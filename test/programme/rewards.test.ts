/** Rewards are configured by partners: created, changed with versions, archived, listed. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
beforeAll(async () => {
  world = await createWorld()
  call = programmeOf(world)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

test('a reward is created with its fields, and is found by its slug and its id', async () => {
  const given = {
    name: 'Welcome bonus!',
    description: 'Fifty points to begin with.',
    imageUrl: 'https://cdn.example.com/welcome.png',
    kind: 'POINTS',
    points: 50,
    stock: 3,
  }
  const reward = await call.createReward(given)
  expect(reward).toMatchObject({
    ...given,
    slug: 'welcome-bonus',
    grantCount: 0,
    archivedAt: null,
    version: 1,
  })
  const find = async (by: object, keys = world.keys) =>
    (
      await world.graphql(
        'query ($by: RewardBy!) { reward(by: $by) { name } }',
        { by },
        { secret: keys.secret },
      )
    ).body.data.reward
  expect(await find({ slug: 'welcome-bonus' })).toEqual({ name: given.name })
  expect(await find({ id: reward.uuid })).toEqual({ name: given.name })
  expect(await find({ slug: 'unknown' })).toBeNull()
  expect(await find({ id: reward.uuid }, world.partner.live)).toBeNull()
})

test.each([
  [{ kind: 'POINTS' }, 'points is required'],
  [{ kind: 'BADGE', points: 5 }, 'points must not be given except for points'],
  [{ kind: 'POINTS', points: 0 }, 'points must be at least 1'],
  [{ kind: 'BADGE', stock: -1 }, 'stock must be at least 0'],
  [{ kind: 'BADGE', imageUrl: 'http://example.com/x.png' }, 'imageUrl must be an https URL'],
  [{ kind: 'BADGE', name: ' ' }, 'name must not be blank'],
])('%j is refused: %s', async (input, message) => {
  const result = await call.createReward({ name: randomUUID(), ...input })
  expect(result.errors).toMatchObject([{ message }])
})

test('a slug is taken once, also by an archived reward and by a change', async () => {
  const { slug, name } = await call.badge()
  const other = await call.badge()
  const taken = { code: 'REWARD_SLUG_TAKEN' }
  expect(await call.badge({ name })).toMatchObject(taken)
  expect(await call.updateReward({ reward: { slug: other.slug }, slug })).toMatchObject(taken)
  await call.archiveReward({ reward: { slug } })
  expect(await call.badge({ slug })).toMatchObject(taken)
  expect(await call.badge({ slug: `${slug}-2`, name })).toMatchObject({ name })
  const inLive = await call.createReward({ slug, name, kind: 'BADGE' }, world.partner.live)
  expect(inLive).toMatchObject({ slug })
})

test('a change leaves what it omits, clears what it sets to null, and counts a version', async () => {
  const texts = { description: 'Nice', imageUrl: 'https://example.com/x.png' }
  const { slug } = await call.pointsReward(5, { ...texts, stock: 1 })
  const reward = { slug }
  expect(await call.updateReward({ reward, points: 7 })).toMatchObject({
    ...texts,
    points: 7,
    stock: 1,
    version: 2,
  })
  const cleared = { description: null, imageUrl: null, stock: null }
  expect(await call.updateReward({ reward, ...cleared })).toMatchObject({
    ...cleared,
    points: 7,
    version: 3,
  })
  expect(await call.updateReward({ reward, expectedVersion: 2, points: 8 })).toMatchObject({
    code: 'CONFLICT',
  })
  const badge = await call.badge()
  const refused = await call.updateReward({ reward: { slug: badge.slug }, points: 8 })
  expect(refused.errors).toMatchObject([{ message: 'points must not be given except for points' }])
  expect(await call.updateReward({ reward: { slug: 'unknown' } })).toMatchObject({
    code: 'REWARD_NOT_FOUND',
  })
})

test('a grant changes no version, and a stock is not less than what was granted', async () => {
  const reward = await call.badge({ stock: 5 })
  await call.give('ann', reward)
  await call.give('ben', reward)
  const refused = await call.updateReward({ reward: { slug: reward.slug }, stock: 1 })
  expect(refused.errors).toMatchObject([
    { path: ['stock'], message: 'stock must be at least 2, the number of grants so far' },
  ])
  const changed = await call.updateReward({
    reward: { slug: reward.slug },
    stock: 2,
    expectedVersion: 1,
  })
  expect(changed).toMatchObject({ stock: 2, grantCount: 2, version: 2 })
})

test('a reward with at most a tenth of its stock left is running out', async () => {
  const reward = await call.badge({ stock: 10 })
  const runningOut = async (keys = world.keys) =>
    (
      await world.graphql(
        'query ($search: String) { rewards(filter: { isRunningOut: true, search: $search }) { nodes { slug isRunningOut } } }',
        { search: reward.name },
        keys,
      )
    ).body.data.rewards.nodes
  for (const n of Array(8).keys()) await call.give(`holder-${n}`, reward)
  expect(await runningOut()).toEqual([])
  await call.give('holder-8', reward)
  expect(await runningOut()).toEqual([{ slug: reward.slug, isRunningOut: true }])
})

test('an archived reward is not given, can be archived again, and keeps when it was', async () => {
  const reward = await call.badge()
  const by = { reward: { slug: reward.slug } }
  const { archivedAt } = await call.archiveReward({ ...by, expectedVersion: 1 })
  expect(archivedAt).not.toBeNull()
  expect(await call.archiveReward(by)).toMatchObject({ archivedAt, version: 3 })
  const refused = await call.give(randomUUID(), reward)
  expect(refused).toMatchObject({ code: 'REWARD_ARCHIVED', status: 'ARCHIVED', since: archivedAt })
})

test('the list is searched, filtered and sorted', async () => {
  const mark = randomUUID()
  const gold = await call.pointsReward(5, { name: `Gold ${mark}` })
  const silver = await call.badge({ name: `Silver ${mark}`, description: 'Almost gold' })
  const old = await call.badge({ name: `Bronze ${mark}` })
  await call.archiveReward({ reward: { slug: old.slug } })
  const names = async (filter: string, order = '') => {
    const { body } = await world.graphql(
      `{ rewards(filter: { ${filter} } ${order}) { nodes { name } totalCount { value } } }`,
    )
    return body.data.rewards.nodes.map(({ name }: { name: string }) => name)
  }
  const all = [old.name, silver.name, gold.name]
  expect(await names(`search: "${mark}"`)).toEqual(all)
  expect(await names(`search: "${mark}"`, 'orderBy: { field: NAME, direction: ASC }')).toEqual(
    all.toSorted(),
  )
  expect(await names(`search: "gold"`)).toEqual([silver.name, gold.name])
  const some = `search: "${mark}"`
  expect(await names(`${some}, isArchived: false, kinds: [BADGE]`)).toEqual([silver.name])
  expect(await names(`${some}, kinds: [BADGE, POINTS]`)).toEqual(all)
  expect(await names(`${some}, kinds: []`)).toEqual([])
  expect(await names(`${some}, isArchived: true`)).toEqual([old.name])
})

test('a change of rewards needs PROGRAMME_WRITE, giving needs GRANTS_WRITE; an editor has both, scopes have neither', async () => {
  const { runtime, partner } = world
  const of = { partnerId: partner.partnerId, applicationId: partner.applicationId }
  const kind = { environment: 'TEST', kind: 'SECRET' } as const
  const scopes = ['READ', 'CAMPAIGNS_WRITE', 'POINTS_ADJUST'] as const
  const { key: secret } = await createApiKey(runtime, { ...of, ...kind, scopes: [...scopes] })
  const asScoped = call.createReward({ name: randomUUID(), kind: 'BADGE' }, { secret })
  await expect(asScoped).rejects.toThrow('PROGRAMME_WRITE')
  const reward = await call.badge()
  await expect(call.give('ann', reward, {}, { secret })).rejects.toThrow('GRANTS_WRITE')
  const bearer = await world.signInAs('EDITOR')
  const by = { bearer } as object
  expect(await call.createReward({ name: randomUUID(), kind: 'BADGE' }, by)).toMatchObject({
    kind: 'BADGE',
  })
  expect(await call.give('ann', reward, {}, by)).toMatchObject({ status: 'ISSUED' })
})
