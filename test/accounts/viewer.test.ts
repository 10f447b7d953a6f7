/** The `viewer` query: what callers see of themselves. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfKind, rightsOfRole } from '../../src/kit/access/rights.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const document = `{ viewer {
  partner { uuid slug } environment rights
  member { email role partner { uuid } }
  actor { __typename ... on Member { email } ... on ApiKey { kind } }
  apiKey { kind environment label allowedNetworks application { uuid } }
} }`

const viewerOf = async (by: object) => (await world.graphql(document, {}, by)).body.data.viewer

test('a key sees its partner, its environment, itself and what it may do', async () => {
  const { partnerId, applicationId, live } = world.partner
  const bySecret = await viewerOf({ secret: live.secret })
  expect(bySecret).toEqual({
    partner: { uuid: partnerId, slug: expect.any(String) },
    environment: 'LIVE',
    rights: rightsOfKind.SECRET,
    actor: { __typename: 'ApiKey', kind: 'SECRET' },
    member: null,
    apiKey: {
      kind: 'SECRET',
      environment: 'LIVE',
      label: null,
      allowedNetworks: [],
      application: { uuid: applicationId },
    },
  })
  const both = await viewerOf(live)
  expect([both.apiKey.kind, both.rights]).toEqual(['SECRET', rightsOfKind.SECRET])
})

test('a public key does not see the notes of its owner', async () => {
  const { db } = world.runtime
  const noted = { label: 'a secret project', allowedNetworks: ['127.0.0.0/8', '::/0'] }
  await db.apiKey.updateMany({ where: { ...world.tenant, kind: 'PUBLIC' }, data: noted })
  const { public: key, secret } = world.keys
  const viewer = await viewerOf({ public: key })
  expect(viewer).toMatchObject({
    rights: rightsOfKind.PUBLIC,
    actor: { __typename: 'ApiKey', kind: 'PUBLIC' },
    apiKey: { kind: 'PUBLIC', label: null, allowedNetworks: null },
  })
  const { body } = await world.graphql(
    '{ apiKeys(filter: { kinds: [PUBLIC] }) { nodes { label allowedNetworks } } }',
    {},
    { secret },
  )
  expect(body.data.apiKeys.nodes).toEqual([noted])
})

test('a member sees themselves and, by their role, what they may do', async () => {
  for (const role of ['OWNER', 'ANALYST'] as const)
    expect(await viewerOf({ bearer: await world.signInAs(role) })).toMatchObject({
      environment: 'TEST',
      rights: rightsOfRole[role],
      member: { role, partner: { uuid: world.partner.partnerId } },
      actor: { __typename: 'Member', email: expect.any(String) },
      apiKey: null,
    })
})

test('missing, invalid and mixed credentials are refused', async () => {
  const other = await world.createPartner()
  for (const [by, code] of [
    [{}, 'MISSING_API_KEY'],
    [{ public: `pk_test_${'x'.repeat(43)}` }, 'INVALID_API_KEY'],
    [{ secret: world.keys.secret, public: other.test.public }, 'CREDENTIALS_MISMATCH'],
  ] as const) {
    const { body } = await world.graphql(document, {}, by)
    expect(body.errors[0].extensions.code).toBe(code)
    expect(body.data ?? null).toBeNull()
  }
})

test('a partner and a member are nodes for operators of other partners, and for nobody else outside the partner', async () => {
  const { partnerId } = await world.createPartner()
  await world.signInAs('OWNER', partnerId)
  const { id } = await world.runtime.db.member.findFirstOrThrow({ where: { partnerId } })
  const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url')
  const ids = [globalId('Partner', partnerId), globalId('Member', id)]
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { uuid } }'
  const ask = async (role: 'OWNER' | 'OPERATOR') => {
    const bearer = await world.signInAs(role)
    return (await world.graphql(nodes, { ids }, { bearer })).body.data.nodes
  }
  expect(await ask('OPERATOR')).toEqual([{ uuid: partnerId }, { uuid: id }])
  expect(await ask('OWNER')).toEqual([null, null])
})
