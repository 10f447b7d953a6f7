/** The codes of a batch, listed by their last characters. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
/** A batch of three codes, the second of which is redeemed. */
let batchId: string
let codes: [string, string, string]
beforeAll(async () => {
  world = await createWorld()
  const slug = await makeCampaign(world, 'summer-sale')
  const made = await callsTo(world).generate({ slug, batchSize: 3, pointsValue: 25 })
  codes = made.body.data.codes
  batchId = made.body.data.batch.id
  const redeemed = await callsTo(world).redeem(slug, { code: codes[1], userId: 'ann' })
  expect(redeemed.status).toBe(200)
})
afterAll(() => world.end())

const endings = () => codes.map((code) => code.slice(-4))

const listed = async (args = '') => {
  const { body, text } = await world.graphql(
    `query ($id: ID!) { codeBatch(id: $id) { codes${args} { totalCount { value }
      nodes { id ending status redemption { user { externalId } } codeBatch { points } } } } }`,
    { id: batchId },
  )
  for (const code of codes) expect(text).not.toContain(code.slice(-8))
  return body.data.codeBatch.codes
}

const endingsIn = async (args: string) =>
  (await listed(args)).nodes.map(({ ending }: { ending: string }) => ending)

const revoke = async (id: string, by?: object) => {
  const { body } = await world.graphql(
    `mutation ($id: ID!) { revokeCode(input: { campaignCode: { id: $id } }) {
      ... on RevokeCodePayload { campaignCode { id status } } ... on Error { code } } }`,
    { id },
    by,
  )
  return body.data.revokeCode
}

test('codes are listed as they were shown, by their last characters, with who redeemed them', async () => {
  const { nodes, totalCount } = await listed()
  expect(nodes.map(({ ending }: { ending: string }) => ending)).toEqual(endings())
  const codeBatch = { points: 25 }
  const unused = { status: 'REDEEMABLE', redemption: null, codeBatch }
  const used = { status: 'REDEEMED', redemption: { user: { externalId: 'ann' } }, codeBatch }
  expect(nodes).toMatchObject([unused, used, unused])
  expect(totalCount.value).toBe(3)
})

test('codes are found by their last characters, and by what happened to them', async () => {
  const [first, second, third] = endings() as [string, string, string]
  expect(await endingsIn(`(filter: { ending: "${third.toLowerCase()}" })`)).toContain(third)
  expect(await endingsIn('(filter: { ending: "%" })')).toEqual([])
  expect(await endingsIn('(filter: { isRedeemed: true })')).toEqual([second])
  expect(await endingsIn('(filter: { isRedeemed: false })')).toEqual([first, third])
  const newest = '(first: 1, orderBy: { field: REDEEMED_AT, direction: DESC })'
  expect(await endingsIn(newest)).toEqual([second])
})

test('a code is revoked by its id, unless it was redeemed, and only by its owner', async () => {
  const { nodes } = await listed()
  const [unused, used] = nodes.map(({ id }: { id: string }) => id)
  expect(await revoke(unused, world.partner.live)).toEqual({ code: 'INVALID_CODE' })
  expect(await revoke(used)).toEqual({ code: 'CODE_REDEEMED' })
  const campaignCode = { id: unused, status: 'REVOKED' }
  expect(await revoke(unused)).toEqual({ campaignCode })
  expect(await revoke(unused)).toEqual({ campaignCode })
  expect(await endingsIn('(filter: { isRevoked: true })')).toEqual([endings()[0]])
  const { body } = await world.graphql(
    '{ auditLog(filter: { action: "revokeCode" }) { nodes { targetId targetName refusal } } }',
    {},
    { bearer: await world.signInAs('OWNER') },
  )
  const entry = { targetId: unused, targetName: endings()[0], refusal: null }
  expect(body.data.auditLog.nodes).toContainEqual(entry)
})
