import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'
import { traces } from './traces.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const root = '/v1/user-journeys'
const secretWords = [
  'Mark-Name',
  'mark@example.com',
  'mark-phone',
  'mark-tag',
  'mark-meta',
  'mark-event',
]

const fill = async (externalId: string) => {
  await world.post(`${root}/users`, world.keys.public, {
    externalId,
    displayName: 'Mark-Name',
    email: 'mark@example.com',
    phone: 'mark-phone',
    tags: { k: 'mark-tag' },
    metadata: { k: 'mark-meta' },
    country: 'DE',
  })
  await world.givePoints(externalId, 3)
  await world.post('/v1/games/play', world.keys.public, {
    userId: externalId,
    gameType: 'NEON_WHEEL',
  })
  await world.post(`${root}/track`, world.keys.public, {
    events: [0, 1, 2].map((i) => ({
      externalId,
      category: 'CUSTOM',
      eventType: 'mark-event',
      reference: `mark-event-${i}`,
      metadata: { k: 'mark-event' },
      sourceId: 'mark-event',
      points: 5,
    })),
  })
  const slug = await makeCampaign(world, 'golden-ticket')
  const joined = await callsTo(world).record(slug, {
    userId: externalId,
    eventType: 'purchase',
    metadata: { k: 'mark-event' },
  })
  expect(joined.status).toBe(200)
  const offer = { offerType: 'vip_play', pointsValue: 10, metadata: { k: 'mark-meta' } }
  const made = await world.post(`${root}/users/${externalId}/offers`, world.keys.secret, offer)
  await world.post(
    `${root}/users/${externalId}/offers/${made.body.data.offer.id}/claim`,
    world.keys.public,
  )
  await world.post(`${root}/users/${externalId}/offers`, world.keys.secret, offer)
}

const exported = (externalId: string, by = world.keys) =>
  world.graphql(
    `query ($id: String!) { userData(by: { externalId: $id }) { isComplete
      user { externalId email balance journey { phone tags } } activities { metadata }
      ledgerEntries { points } plays { uuid } participants { eventCount } offers { metadata }
      stageChanges { stage } } }`,
    { id: externalId },
    by,
  )
const erase = async (externalId: string, by = world.keys) =>
  (
    await world.graphql(
      `mutation ($id: String!) { eraseUser(input: { user: { externalId: $id } }) { __typename
        ... on EraseUserPayload { user { externalId } erasedCount } } }`,
      { id: externalId },
      by,
    )
  ).body.data.eraseUser

it('an export has all stored data', async () => {
  await fill('anna-x')
  const { isComplete, ...data } = (await exported('anna-x')).body.data.userData
  expect(isComplete).toBe(true)
  expect(data.user).toMatchObject({ externalId: 'anna-x', email: 'mark@example.com' })
  expect(data.user.journey).toEqual({ phone: 'mark-phone', tags: { k: 'mark-tag' } })
  expect(data.activities).toHaveLength(9)
  expect(data.plays).toHaveLength(1)
  expect(data.participants).toHaveLength(1)
  expect(data.offers).toHaveLength(2)
  expect(data.stageChanges.length).toBeGreaterThan(0)
  const sum = data.ledgerEntries.reduce(
    (total: number, { points }: { points: number }) => total + points,
    0,
  )
  expect(sum).toBe(data.user.balance)
  for (const by of [world.partner.live, (await world.createPartner()).test])
    expect((await exported('anna-x', by)).body.data).toEqual({ userData: null })
  const refused = await exported('anna-x', { public: world.keys.public } as never)
  expect(refused.body.errors[0].extensions.code).toBe('MISSING_API_SECRET')
})

it('an erased user leaves numbers but no personal data', async () => {
  expect((await traces(world, secretWords)).length).toBeGreaterThan(5)
  expect(await erase('anna-x', world.partner.live)).toEqual({ __typename: 'NotFoundError' })
  const { userId, balance } = await world.runtime.db.endUser
    .findFirstOrThrow({ where: { externalId: 'anna-x' } })
    .then(({ id, balance }) => ({ userId: id, balance }))
  const erased = await erase('anna-x')
  const pseudonym = erased.user.externalId
  expect([pseudonym, erased.erasedCount]).toEqual([expect.stringMatching(/^erased-/), 3])
  expect(await traces(world, [...secretWords, 'anna-x'])).toEqual([])
  const user = await world.runtime.db.endUser.findUniqueOrThrow({ where: { id: userId } })
  expect(user).toMatchObject({ externalId: pseudonym, balance, displayName: null, email: null })
  const ledger = await world.runtime.db.ledgerEntry.findMany({ where: { userId } })
  expect(ledger.length).toBeGreaterThan(4)
  expect((await world.get(`${root}/users/anna-x`, world.keys.public)).status).toBe(404)
  expect(await erase('anna-x')).toEqual({ __typename: 'NotFoundError' })
  await world.givePoints('anna-x', 1)
  const again = await world.get(`${root}/users/anna-x`, world.keys.public)
  expect(again.body.data).toMatchObject({ totalEvents: 1, pointsEarned30d: 100, phone: '' })
})
