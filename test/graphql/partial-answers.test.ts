/** A field that is refused is null with an error at its path, and the rest of the answer stays. REST is never partial. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemberRole } from '../../src/generated/prisma/enums.ts'
import { type Right, rightsOfRole } from '../../src/kit/access/rights.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
})
afterAll(() => world.end())

type Fault = { path?: string[]; extensions: { code: string } }

const pathsOf = (errors: Fault[] = []) =>
  errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]).sort()

/** Root fields of one page, with the right that each requires. */
const page: Record<string, [Right, string]> = {
  users: ['READ', '(first: 1) { nodes { externalId } }'],
  rewardRules: ['READ', '(first: 1) { nodes { eventType } }'],
  offerRules: ['READ', '{ id }'],
  classificationRules: ['READ', '{ version }'],
  arenaGames: ['ARENA_READ', '(first: 1) { nodes { id } }'],
  arenaEarningsTotal: ['ARENA_READ', '{ points }'],
  members: ['MEMBERS_READ', '(first: 1) { nodes { email } }'],
  apiKeys: ['KEYS_READ', '(first: 1) { nodes { id } }'],
  auditLog: ['AUDIT_READ', '(first: 1) { nodes { id } }'],
  exports: ['EXPORT', '(first: 1) { nodes { id } }'],
}

const pageQuery = `{ viewer { rights } ${Object.entries(page)
  .map(([name, [, rest]]) => `${name}${rest}`)
  .join(' ')} }`

describe('one operation for all roles', () => {
  test.each(Object.values(MemberRole))('answers what %s may read', async (role) => {
    const bearer = await world.signInAs(role)
    const { status, body, text } = await world.graphql(pageQuery, {}, { bearer })
    expect(status, text).toBe(200)
    const refused = Object.entries(page)
      .filter(([, [right]]) => !rightsOfRole[role].includes(right))
      .map(([name]) => name)
    expect(pathsOf(body.errors)).toEqual(refused.map((name) => [name, 'RIGHT_REQUIRED']).sort())
    for (const name of Object.keys(page))
      expect({ name, isNull: body.data[name] === null }).toEqual({
        name,
        isNull: refused.includes(name),
      })
    expect(body.data.viewer.rights).toEqual(expect.arrayContaining([...rightsOfRole[role]]))
  })

  test('an ANALYST gets two of three fields', async () => {
    const bearer = await world.signInAs('ANALYST')
    const query = `{ users { nodes { externalId } } members { nodes { id } } apiKeys { nodes { id } } }`
    const { status, body } = await world.graphql(query, {}, { bearer, environment: 'TEST' })
    expect(status).toBe(200)
    expect(body.data.users.nodes).toEqual([{ externalId: 'ann' }])
    expect(body.data.members.nodes.length).toBeGreaterThan(0)
    expect(body.data.apiKeys).toBeNull()
    expect(body.errors).toMatchObject([
      {
        message: 'This requires the right KEYS_READ',
        path: ['apiKeys'],
        extensions: { code: 'RIGHT_REQUIRED', right: 'KEYS_READ' },
      },
    ])
    expect(body.errors[0].extensions.http).toBeUndefined()
  })

  test('is refused as a whole when nothing in it may be read', async () => {
    const query = '{ apiKeys { nodes { id } } auditLog { nodes { id } } }'
    const bearer = await world.signInAs('ANALYST')
    const refused = await world.graphql(query, {}, { bearer })
    expect([refused.status, refused.body.data]).toEqual([403, undefined])
    expect(pathsOf(refused.body.errors)).toEqual([
      ['apiKeys', 'RIGHT_REQUIRED'],
      ['auditLog', 'RIGHT_REQUIRED'],
    ])
    expect((await world.graphql(query, {}, {})).status).toBe(401)
  })

  test('answers the public part without a key', async () => {
    const query =
      '{ users { nodes { id } } platform { partners { nodes { id } } } arena { agents { nodes { id } } } }'
    const { status, body } = await world.graphql(query, {}, {})
    expect(status).toBe(200)
    expect(body.data).toEqual({ users: null, platform: null, arena: { agents: { nodes: [] } } })
    expect(pathsOf(body.errors)).toEqual([
      ['platform', 'INVALID_BEARER_TOKEN'],
      ['users', 'MISSING_API_SECRET'],
    ])
  })
})

test('a guest who asks for the viewer and for nodes still gets the public part', async () => {
  const query = `{ viewer { rights } nodes(ids: [${'"no",'.repeat(101)}]) { id }
    arena { games { nodes { id } } } }`
  const { status, body } = await world.graphql(query, {}, {})
  expect(status).toBe(200)
  expect(body.data).toEqual({ viewer: null, nodes: null, arena: { games: { nodes: [] } } })
  expect(pathsOf(body.errors)).toEqual([
    ['nodes', 'INVALID_PARAMETERS'],
    ['viewer', 'MISSING_API_KEY'],
  ])
})

describe('invalid arguments', () => {
  test('of a list do not affect the list beside it', async () => {
    const query = `{ users(after: "broken") { nodes { id } } rewardRules(first: 1) { nodes { eventType } }
      arena { agents(first: 101) { nodes { id } } games { nodes { id } } } }`
    const { status, body } = await world.graphql(query)
    expect(status).toBe(200)
    expect(body.data.users).toBeNull()
    expect(body.data.rewardRules.nodes).toHaveLength(1)
    expect(body.data.arena).toEqual({ agents: null, games: { nodes: [] } })
    expect(pathsOf(body.errors)).toEqual([
      ['arena.agents', 'INVALID_PARAMETERS'],
      ['users', 'INVALID_PARAMETERS'],
    ])
  })

  test('found by a resolver do not affect other fields', async () => {
    const period = 'from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z"'
    const query = `{ analytics(metrics: [PLAYS], ${period}, interval: DAY) { total }
      ledgerEntries(filter: { points: { max: -1 } }) { nodes { id } } games { name } }`
    const { status, body } = await world.graphql(query)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ analytics: null, ledgerEntries: null })
    expect(body.data.games).toHaveLength(3)
    expect(pathsOf(body.errors)).toEqual([
      ['analytics', 'INVALID_PARAMETERS'],
      ['ledgerEntries', 'INVALID_PARAMETERS'],
    ])
  })

  test('of a list with a right of its own take only this list away, of another one its object', async () => {
    const query = `{ user(by: { externalId: "ann" }) {
      balance ledgerEntries(after: "broken") { nodes { id } } }
      one: user(by: { externalId: "ann" }) { journey { stageChanges(after: "broken") { nodes { id } } } }
      games { name } }`
    const { status, body } = await world.graphql(query)
    expect(status).toBe(200)
    expect(body.data.user).toEqual({ balance: 100, ledgerEntries: null })
    expect(body.data.one).toBeNull()
    expect(body.data.games).toHaveLength(3)
    expect(pathsOf(body.errors)).toEqual([
      ['one.journey.stageChanges', 'INVALID_PARAMETERS'],
      ['user.ledgerEntries', 'INVALID_PARAMETERS'],
    ])
  })
})

test('a field with a right of its own does not take its object away', async () => {
  const query = `{ user(by: { externalId: "ann" }) { externalId participants { nodes { id } } }
    games { name versions { nodes { version } } } }`
  const { status, body } = await world.graphql(query, {}, { public: world.keys.public })
  expect(status).toBe(200)
  expect(body.data.user).toEqual({ externalId: 'ann', participants: null })
  expect(body.data.games.map(({ versions }: { versions: null }) => versions)).toEqual([
    null,
    null,
    null,
  ])
  expect(pathsOf(body.errors)[0]).toEqual(['games.0.versions', 'MISSING_API_SECRET'])
})

test('a mutation that is refused does not hide what another one has done', async () => {
  const rule = (type: string) => `setRewardRule(input: { eventType: "${type}", points: 5 })`
  const query = `mutation { rule: ${rule('partial')} { __typename }
    key: createApiKey(input: { kind: SECRET }) { __typename } }`
  const bearer = await world.signInAs('EDITOR')
  const { status, body, text } = await world.graphql(query, {}, { bearer, environment: 'TEST' })
  expect(status, text).toBe(200)
  expect(body.data).toEqual({ rule: { __typename: 'SetRewardRulePayload' }, key: null })
  expect(pathsOf(body.errors)).toEqual([['key', 'RIGHT_REQUIRED']])
})

test('every root field that requires a right is nullable', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()]
  const required = roots
    .flatMap((root) => Object.values(root?.getFields() ?? {}))
    .filter(({ type }) => String(type).endsWith('!'))
    .map(({ name }) => name)
  expect(required.sort()).toEqual(['arena'])
})

test('REST answers an error alone', async () => {
  const { status, body } = await world.get('/v1/leaderboard?limit=0', world.keys.public)
  expect(status).toBe(400)
  expect(body).toMatchObject({ status: 'error', errorCode: 'INVALID_PARAMETERS' })
  expect(body.data).toBeUndefined()
})
