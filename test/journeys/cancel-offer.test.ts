/** A partner cancels an active offer of a user. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let now = new Date('2026-06-15T12:00:00.000Z')
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const user = async () => {
  const externalId = `user-${randomUUID()}`
  await world.post('/v1/user-journeys/users', world.keys.public, { externalId })
  return externalId
}

const offerTo = async (externalId: string) => {
  const { body } = await world.post(
    `/v1/user-journeys/users/${externalId}/offers`,
    world.keys.secret,
    { offerType: 'vip_play', pointsValue: 5 },
  )
  return body.data?.offer.id as string
}

const claim = (externalId: string, offerId: string) =>
  world.post(`/v1/user-journeys/users/${externalId}/offers/${offerId}/claim`, world.keys.public)

const cancel = async (offerId: string, by = world.keys) => {
  const { body } = await world.graphql(
    `mutation ($offerId: ID!) { cancelOffer(input: { offerId: $offerId }) {
      ... on CancelOfferPayload { offer { status cancelledAt claimedAt } }
      ... on Error { code }
      ... on NotActiveError { status since } } }`,
    { offerId },
    by,
  )
  return body.data.cancelOffer
}

test('a cancelled offer frees its place, and cannot be claimed or cancelled again', async () => {
  const anna = await user()
  const [id] = [await offerTo(anna), await offerTo(anna), await offerTo(anna)]
  expect(await offerTo(anna)).toBeUndefined()
  const cancelledAt = now.toISOString()
  expect(await cancel(id)).toEqual({
    offer: { status: 'CANCELLED', cancelledAt, claimedAt: null },
  })
  now = new Date(now.getTime() + 1_000)
  const refused = { code: 'OFFER_NOT_ACTIVE', status: 'CANCELLED', since: cancelledAt }
  expect(await cancel(id)).toEqual(refused)
  expect((await claim(anna, id)).body).toMatchObject({
    code: 400,
    errorCode: 'OFFER_NOT_ACTIVE',
    message: 'Offer is no longer active',
  })
  expect(await offerTo(anna)).toBeDefined()
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) {
      balance
      cancelled: offers(filter: { statuses: [CANCELLED] }) { nodes { uuid } }
      active: offers(filter: { statuses: [ACTIVE] }) { totalCount { value } } } }`,
    { id: anna },
  )
  expect(body.data.user).toEqual({
    balance: 0,
    cancelled: { nodes: [{ uuid: id }] },
    active: { totalCount: { value: 3 } },
  })
})

test('an offer that was claimed or has expired is not cancelled', async () => {
  const ben = await user()
  const [claimed, expired] = [await offerTo(ben), await offerTo(ben)]
  await claim(ben, claimed)
  const since = now.toISOString()
  expect(await cancel(claimed)).toEqual({ code: 'OFFER_NOT_ACTIVE', status: 'CLAIMED', since })
  now = new Date(now.getTime() + 72 * 3_600_000)
  expect(await cancel(expired)).toMatchObject({ code: 'OFFER_EXPIRED', status: 'EXPIRED' })
  expect(await cancel(randomUUID())).toEqual({ code: 'OFFER_NOT_FOUND' })
})

test('it is written to the audit log, and only its owner may do it', async () => {
  const cleo = await user()
  const id = await offerTo(cleo)
  expect(await cancel(id, world.partner.live)).toEqual({ code: 'OFFER_NOT_FOUND' })
  expect(await cancel(id, (await world.createPartner()).test)).toEqual({ code: 'OFFER_NOT_FOUND' })
  await cancel(id)
  const entries = await world.runtime.db.auditEntry.findMany({ where: { targetId: id } })
  expect(entries).toMatchObject([
    {
      action: 'cancelOffer',
      targetType: 'Offer',
      changes: [{ table: 'offer', id, field: 'status', from: 'active', to: 'cancelled' }],
    },
  ])
})

test('of a claim and cancellations at the same time, one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const dora = await user()
    const id = await offerTo(dora)
    const [claimed, ...cancelled] = await Promise.all([
      claim(dora, id),
      cancel(id),
      cancel(id),
      claim(dora, id),
    ])
    const claims = [claimed, cancelled[2] as typeof claimed]
    const done = [
      ...claims.map(({ status }) => status === 200),
      ...cancelled.slice(0, 2).map((answer) => 'offer' in (answer as object)),
    ]
    expect(done.filter(Boolean)).toHaveLength(1)
    for (const { status, body } of claims)
      if (status !== 200) expect(body.errorCode).toBe('OFFER_NOT_ACTIVE')
  }
})
