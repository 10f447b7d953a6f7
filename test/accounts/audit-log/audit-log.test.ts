import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeNodeId } from '../../../src/kit/node-id.ts'
import { retentionJobs } from '../../../src/retention-rules.ts'
import { statementCounter } from '../../count-statements.ts'
import { createWorld, type TestPartner, type World } from '../../world.ts'

let world: World
let other: TestPartner
let developer: string
let operator: string
let now = new Date()
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  other = await world.createPartner()
  developer = await world.signInAs('OWNER')
  operator = await world.signInAs('OPERATOR', other.partnerId)
})
afterAll(() => world.end())

const shown = `action occurredAt environment actorKind actorName address userAgent requestId refusal targetType targetId
  actor { __typename ... on Member { email } ... on ApiKey { lastFour } }
  target { __typename id uuid } changes { kind uuid field from to }`

type Entry = Record<string, never> & { action: string; actor: unknown; target: unknown }

const ask = async (query: string, bearer: string) => {
  const { body, text } = await world.graphql(query, {}, { bearer })
  expect(body.errors, text).toBeUndefined()
  return body.data
}
const log = async (filter = '', bearer = developer): Promise<Entry[]> =>
  (await ask(`{ auditLog(filter: { ${filter} }) { nodes { ${shown} } } }`, bearer)).auditLog.nodes

const run = async (fields: string, bearer = developer) => {
  now = new Date(now.getTime() + 1_000)
  return ask(`mutation { result: ${fields} }`, bearer)
}

const setRule = (eventType: string, points: number, bearer?: string) =>
  run(
    `setRewardRule(input: { eventType: "${eventType}", points: ${points} }) {
      ... on SetRewardRulePayload { rewardRule { id uuid } } }`,
    bearer,
  )

describe('the audit log', () => {
  test('shows who changed what, the newest first', async () => {
    const { id, uuid } = (await setRule('first', 1)).result.rewardRule
    await setRule('first', 2)
    const [newest, before] = await log(`targetId: "${id}"`)
    const email = expect.stringContaining('@example.com')
    expect(newest).toEqual({
      action: 'setRewardRule',
      occurredAt: now.toISOString(),
      environment: 'TEST',
      actorKind: 'MEMBER',
      actorName: email,
      actor: { __typename: 'Member', email },
      address: expect.stringMatching(/127\.0\.0\.1$/),
      userAgent: 'node',
      requestId: expect.any(String),
      refusal: null,
      targetType: 'RewardRule',
      targetId: id,
      target: { __typename: 'RewardRule', id, uuid },
      changes: [{ kind: 'rewardRule', uuid, field: 'points', from: 1, to: 2 }],
    })
    expect(before).toMatchObject({
      changes: [
        { field: 'eventType', from: null, to: 'first' },
        { field: 'points', from: null, to: 1 },
      ],
    })
  })

  test('filters by actor, action, target and time', async () => {
    await setRule('second', 1)
    const second = await setRule('second', 2)
    await run('deleteRewardRule(input: { eventType: "second" }) { __typename }')
    const { memberId } = await world.runtime.db.signIn.findFirstOrThrow({
      where: { member: { partnerId: world.partner.partnerId } },
    })
    const actions = async (filter: string) => (await log(filter)).map(({ action }) => action)
    const { id, uuid } = second.result.rewardRule
    const [del, set] = ['deleteRewardRule', 'setRewardRule']
    expect(await actions(`targetId: "${uuid}"`)).toEqual([del, set, set])
    expect(await actions(`targetId: "${id}", action: "setRewardRule"`)).toEqual([set, set])
    expect(
      await actions(`targetId: "${id}", actorId: "${encodeNodeId('Member', memberId)}"`),
    ).toEqual([del, set, set])
    expect(await actions(`actorId: "${randomUUID()}"`)).toEqual([])
    expect(await actions(`occurredAt: { from: "${now.toISOString()}" }`)).toEqual([del])
    expect(await actions(`targetId: "${id}", occurredAt: { to: "${now.toISOString()}" }`)).toEqual([
      set,
      set,
    ])
    expect(await actions(`targetId: "${id}", isRefused: true`)).toEqual([])
    expect(await actions(`search: "ECON"`)).toEqual([del, set, set])
    expect(await actions(`search: "_econd"`)).toEqual([])
    const { body } = await world.graphql(
      '{ auditLog(filter: { targetId: "x" }) { nodes { id } } }',
      {},
      { bearer: developer },
    )
    expect(body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  })

  test('keeps the name of a deleted member, and the id of a deleted target', async () => {
    const leaver = await world.signInAs('OWNER')
    await setRule('leaver', 1, leaver)
    const { viewer } = await ask('{ viewer { member { id email } } }', leaver)
    await run(`deleteMember(input: { memberId: "${viewer.member.id}" }) { __typename }`)
    const [entry] = await log('action: "setRewardRule"')
    expect(entry).toMatchObject({ actor: null, actorName: viewer.member.email })
    const [gone] = await log(`targetId: "${viewer.member.id}", action: "deleteMember"`)
    expect(gone).toMatchObject({ targetType: 'Member', targetId: viewer.member.id, target: null })
  })

  test('shows an API key as the actor', async () => {
    await world.graphql(
      'mutation { setRewardRule(input: { eventType: "key", points: 1 }) { __typename } }',
    )
    const lastFour = world.keys.secret.slice(-4)
    const [entry] = await log('action: "setRewardRule"')
    expect(entry).toMatchObject({
      actorKind: 'KEY',
      actor: { __typename: 'ApiKey', lastFour },
      actorName: `…${lastFour}`,
    })
  })

  test('shows targets of many types, in the environment of the caller', async () => {
    const application = { id: world.partner.applicationId }
    await run(
      `updateApplication(input: { applicationId: "${application.id}", name: "new" }) { __typename }`,
    )
    await run('createSegment(input: { name: "new", stage: NEW }) { __typename }')
    await run('setClassificationRules(input: { newDays: 3 }) { __typename }')
    const targets = (await log()).slice(0, 3).map(({ targetType, target }) => [targetType, target])
    expect(targets).toMatchObject([
      ['ClassificationRules', null],
      ['Segment', { __typename: 'Segment' }],
      ['Application', { __typename: 'Application', uuid: application.id }],
    ])
  })

  test('shows one environment, and what belongs to both', async () => {
    const of = async (environment: string) => {
      const headers = { authorization: `Bearer ${developer}`, 'x-environment': environment }
      const body = { query: '{ auditLog(first: 100) { nodes { environment action } } }' }
      const answer = await world.call('POST', '/graphql', { headers, body })
      return new Set(answer.body.data.auditLog.nodes.map((entry: Entry) => entry.environment))
    }
    expect(await of('TEST')).toEqual(new Set(['TEST', null]))
    expect(await of('LIVE')).toEqual(new Set([null]))
  })

  test('is visible to members with the right, for their own partner only', async () => {
    const stranger = await world.signInAs('OWNER', other.partnerId)
    expect(await log('', stranger)).toEqual([])
    const { auditLog } = await ask('{ auditLog(first: 1) { nodes { id } } }', developer)
    const [{ id }] = auditLog.nodes
    expect(await ask(`{ node(id: "${id}") { id } }`, stranger)).toEqual({ node: null })
    expect(await ask(`{ node(id: "${id}") { id } }`, developer)).toEqual({ node: { id } })
    const { body } = await world.graphql('{ auditLog { nodes { id } } }')
    expect(body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
    const editor = await world.signInAs('EDITOR')
    for (const query of ['{ auditLog { nodes { id } } }', `{ node(id: "${id}") { id } }`]) {
      const refused = await world.graphql(query, {}, { bearer: editor })
      expect(refused.body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
    }
  })
})

describe("the change of an operator to a partner's objects", () => {
  test('is in the log of the partner, without the operator and the address', async () => {
    const { partnerId } = world.partner
    const { email } = await world.runtime.db.member.findFirstOrThrow({
      where: { isOperator: true },
    })
    const input = `input: { email: "by-operator@example.com", password: "a long password", role: DEVELOPER, partner: { id: "${partnerId}" } }`
    await run(`createMember(${input}) { __typename }`, operator)
    const [entry] = await log('action: "createMember"')
    expect(entry).toMatchObject({
      actorKind: 'OPERATOR',
      actor: null,
      actorName: null,
      address: null,
      userAgent: null,
      target: { __typename: 'Member' },
    })
    const text = `{ platform { auditLog(filter: { partner: { id: "${partnerId}" }, action: "createMember" }) { nodes { ${shown} } } } }`
    expect((await ask(text, operator)).platform.auditLog.nodes).toMatchObject([
      { actorKind: 'OPERATOR', actorName: email, actor: { email }, userAgent: 'node' },
    ])
    const { id } = await world.runtime.db.member.findFirstOrThrow({ where: { email } })
    expect(await log(`actorId: "${id}"`)).toEqual([])
  })

  test('the log of all partners is for operators', async () => {
    const { body } = await world.graphql(
      '{ platform { auditLog { nodes { id } } } }',
      {},
      { bearer: developer },
    )
    expect(body.errors[0].extensions.code).toBe('ADMIN_REQUIRED')
  })
})

test('a page with its actors and targets takes as many statements as one entry', async () => {
  for (let i = 0; i < 20; i++) await setRule(`many-${i}`, 1)
  const fewest = statementCounter(world)
  const read = (first: number) => async () => {
    const text = `{ auditLog(first: ${first}, filter: { action: "setRewardRule" }) { nodes { ${shown} } } }`
    const { auditLog } = await ask(text, developer)
    expect(auditLog.nodes).toHaveLength(first)
  }
  const item = await fewest(read(1))
  // Concurrent reads go in two batches.
  expect(await fewest(read(20))).toBeLessThanOrEqual(item + 5)
})

test('entries are deleted after a year, not earlier', async () => {
  const count = () => world.runtime.db.auditEntry.count()
  const forget = () => retentionJobs[0]?.run(world.runtime)
  const before = await count()
  await forget()
  expect(await count()).toBe(before)
  const oldest = await world.runtime.db.auditEntry.findFirstOrThrow({ orderBy: { at: 'asc' } })
  const year = 365 * 24 * 3_600_000
  now = new Date(oldest.at.getTime() + year + 1)
  await forget()
  expect(await count()).toBeLessThan(before)
  expect(await count()).toBeGreaterThan(0)
  now = new Date(now.getTime() + year)
  await forget()
  expect(await count()).toBe(0)
})
