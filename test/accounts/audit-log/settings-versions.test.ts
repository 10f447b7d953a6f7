/** Settings keep their versions, each of which can be restored, and the audit log says which one undoes a change. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { lotteryRules as rules, settingsKinds } from './settings-kinds.ts'

let world: World
let owner: string
beforeAll(async () => {
  world = await createWorld()
  owner = await world.signInAs('OWNER')
  await run('createReward', { name: 'A hat', slug: 'hat', kind: 'BADGE' }, 'reward { id }')
})
afterAll(() => world.end())

type Answer = Record<string, never>

const ask = async (query: string, variables = {}, bearer = owner) => {
  const { body, text } = await world.graphql(query, variables, { bearer })
  expect(body.errors, text).toBeUndefined()
  return body.data
}

/** The result of a mutation: its payload, or its error. */
const run = async (name: string, input: object, shown: string, bearer = owner) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${Name}Input!) { result: ${name}(input: $input) {
    __typename ... on ${Name}Payload { ${shown} } ... on Error { code message }
    ${/^(create|delete)/.test(name) ? '' : '... on ConflictError { currentVersion }'} } }`
  return (await ask(query, { input }, bearer)).result
}

const changes = '{ kind field from to }'
const versionShown = `version currentVersion actor { __typename } actorId createdAt changes ${changes} restores ${changes}`

const versionsOf = async (type: string, id: string, bearer = owner) => {
  const query = `query ($id: ID!) { node(id: $id) { ... on ${type} {
    versions(first: 20) { nodes { ${versionShown} } totalCount { value } } } } }`
  return (await ask(query, { id }, bearer)).node.versions.nodes as Answer[]
}

const newest = async (targetId: string) => {
  const { auditLog } = await ask(
    `query ($targetId: ID!) { auditLog(first: 1, filter: { targetId: $targetId }) { nodes {
      action targetType targetName targetVersion undoes { ${versionShown} } changes ${changes} } } }`,
    { targetId },
  )
  return auditLog.nodes[0]
}

const kinds = settingsKinds(run)

describe.each(kinds)('$type', (kind) => {
  const { type, field, restore, change, shown } = kind
  let key: object
  let id: string
  let original: Answer
  const state = async () =>
    (
      await ask(`query ($id: ID!) { node(id: $id) { ... on ${type} { version ${shown} } } }`, {
        id,
      })
    ).node
  beforeAll(async () => {
    const created = await kind.create()
    key = created.key
    id = created.id
    original = await state()
  })

  test('a change can be undone from its entry in the audit log', async () => {
    const { version } = original as unknown as { version: number }
    const result = await run(change, kind.changed(key), `${field} { version }`)
    expect(result).toMatchObject({ [field]: { version: version + 1 } })
    const entry = await newest(id)
    expect(entry).toMatchObject({ targetType: type, targetVersion: version + 1 })
    expect(entry.undoes).toMatchObject({ version, currentVersion: version + 1 })
    expect(entry.undoes.restores.length).toBeGreaterThan(0)
    const input = { ...kind.keyOf(id), version, expectedVersion: version + 1 }
    const undone = await run(restore, input, `${field} { version ${shown} }`)
    expect(undone[field]).toEqual({ ...(original as object), version: version + 2 })
    expect(await newest(id)).toMatchObject({
      action: restore,
      targetName: kind.name,
      targetVersion: version + 2,
      // The undoing can be undone.
      undoes: { version: version + 1 },
    })
  })

  test('a change since then is a conflict, and nothing is restored', async () => {
    const { version } = (await state()) as { version: number }
    await run(change, kind.changed(key), `${field} { version }`)
    const before = await state()
    const input = { ...kind.keyOf(id), version: 1, expectedVersion: version }
    expect(await run(restore, input, `${field} { version }`)).toMatchObject({
      code: 'CONFLICT',
      currentVersion: version + 1,
    })
    expect(await state()).toEqual(before)
  })

  test('a version that is not kept is refused', async () => {
    expect(
      await run(restore, { ...kind.keyOf(id), version: 999 }, `${field} { version }`),
    ).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  })

  test('nobody restores versions of another partner', async () => {
    const other = await world.signInAs('OWNER', (await world.createPartner()).partnerId)
    const result = await run(
      restore,
      { ...kind.keyOf(id), version: 3 },
      `${field} { version }`,
      other,
    )
    // Games are named by their type, of which the other partner has one.
    expect(result.code).toMatch(type === 'Game' ? /^VALIDATION_FAILED$/ : /_NOT_FOUND$/)
  })
})

describe('the versions of a reward rule', () => {
  const rule = async (points: number, eventType = 'review') =>
    (await run('setRewardRule', { eventType, points }, 'rewardRule { id uuid version }')).rewardRule

  test('show what was changed, by whom, and what restoring each would change', async () => {
    await rule(10)
    const { id } = await rule(77)
    const both = {
      actor: { __typename: 'Member' },
      createdAt: expect.any(String),
      currentVersion: 2,
    }
    const change = { kind: 'rewardRule', field: 'points' }
    expect(await versionsOf('RewardRule', id)).toMatchObject([
      { ...both, version: 2, changes: [{ ...change, from: 10, to: 77 }], restores: [] },
      { ...both, version: 1, changes: [], restores: [{ ...change, from: 77, to: 10 }] },
    ])
  })

  test('are deleted with the rule, whose entries then offer no undo', async () => {
    await rule(1, 'gone')
    const { id, uuid } = await rule(2, 'gone')
    await run('deleteRewardRule', { eventType: 'gone' }, 'deletedId')
    const { auditLog } = await ask(
      `{ auditLog(filter: { targetId: "${id}" }) { nodes { targetName undoes { version } } } }`,
    )
    expect(auditLog.nodes).toEqual([1, 2, 3].map(() => ({ targetName: 'gone', undoes: null })))
    const { rows } = await world.server.database.pool.query({
      text: `SELECT 1 FROM settings_version WHERE object_id = '${uuid}'`,
    })
    expect(rows).toEqual([])
  })

  test.each([
    'UPDATE settings_version SET version = 0',
    'DELETE FROM settings_version',
    'TRUNCATE settings_version',
  ])('never change: %s', async (text) => {
    await expect(world.server.database.pool.query({ text })).rejects.toMatchObject({
      code: '23001',
    })
  })

  test('of two restorations of the same version, one succeeds', async () => {
    const eventType = `race-${randomUUID()}`
    await rule(1, eventType)
    const { id } = await rule(2, eventType)
    const input = { rewardRuleId: id, version: 1, expectedVersion: 2 }
    const results = await Promise.all(
      [1, 2, 3].map(() => run('restoreRewardRule', input, 'rewardRule { points }')),
    )
    const codes = results.map(({ code }) => code ?? 'DONE')
    expect(codes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'DONE'])
    expect((await versionsOf('RewardRule', id)).map(({ version }) => version)).toEqual([3, 2, 1])
  })
})

describe('what is not undone', () => {
  test('is a state: pausing a rule makes a version that restores nothing', async () => {
    const set = (title: string) =>
      run('setOfferRule', { stage: 'NEW', offerType: 'RETURN_BONUS', title }, 'offerRule { id }')
    const { id } = (await set('Hello')).offerRule
    await set('Hi')
    await run('pauseOfferRule', { offerRuleId: id }, 'offerRule { id }')
    const [paused] = await versionsOf('OfferRule', id)
    expect(paused).toMatchObject({ changes: [{ field: 'pausedAt', from: null }], restores: [] })
    expect(await newest(id)).toMatchObject({ action: 'pauseOfferRule', undoes: null })
    const shown = 'offerRule { title pausedAt }'
    expect(await run('restoreOfferRule', { offerRuleId: id, version: 1 }, shown)).toMatchObject({
      offerRule: { title: 'Hello', pausedAt: expect.any(String) },
    })
  })

  test('is a campaign whose prize was won more often than it was in stock', async () => {
    const instantWinRules = (maxWins: number) => ({
      winRate: 1,
      prizeTiers: [{ name: 'Bag', points: 1, maxWins }],
    })
    const input = { slug: 'won', name: 'Won', instantWinRules: instantWinRules(1) }
    await run('createCampaign', input, 'campaign { id }')
    const campaign = { slug: 'won' }
    await run(
      'updateCampaign',
      { campaign, instantWinRules: instantWinRules(5) },
      'campaign { id }',
    )
    await world.server.database.pool.query({
      text: `UPDATE prize_tier SET wins = 2 WHERE max_wins = 5`,
    })
    expect(await run('restoreCampaign', { campaign, version: 1 }, 'campaign { id }')).toMatchObject(
      {
        code: 'PRIZE_TIER_WON',
      },
    )
  })
})

test('versions of a lottery for every partner are shown to operators only', async () => {
  const operator = await world.signInAs('OPERATOR')
  const input = {
    slug: 'all',
    name: 'All',
    frequency: 'DAILY',
    rules: rules(9),
    isForEveryPartner: true,
  }
  const { id } = (await run('createLottery', input, 'lottery { id }', operator)).lottery
  const query = `{ node(id: "${id}") { ... on Lottery { name versions { nodes { version } } } } }`
  expect((await ask(query)).node).toEqual({ name: 'All', versions: null })
  expect((await ask(query, {}, operator)).node.versions).toEqual({ nodes: [{ version: 1 }] })
})

test('the audit log filters by types of objects', async () => {
  const types = async (targetTypes: string) => {
    const query = `{ auditLog(first: 50, filter: { targetTypes: ${targetTypes} }) { nodes { targetType } } }`
    const { auditLog } = await ask(query)
    return [...new Set(auditLog.nodes.map(({ targetType }: Answer) => targetType))].sort()
  }
  expect(await types('["RewardRule"]')).toEqual(['RewardRule'])
  expect(await types('["RewardRule", "Game"]')).toEqual(['Game', 'RewardRule'])
  expect(await types('[]')).toEqual([])
})
