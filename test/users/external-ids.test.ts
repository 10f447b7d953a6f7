/**
 * The ids that partners give their users are parts of URLs: neither blank nor `.` nor `..`. Neighbours that were
 * looked for: every body and every input that names a user, blanks of all kinds, and ids that only look alike.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { externalId } from '../../src/kit/user-id.ts'
import { makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const blank = [' ', '   ', '\t', '\n', '\u00a0', '\u3000', '\u200b', ' \u200b\ufeff ']

test('an id is refused if it is blank, `.` or `..`, and nothing else is', () => {
  for (const id of [...blank, '', '.', '..']) expect(externalId().safeParse(id).success).toBe(false)
  for (const id of ['...', ' .', 'a b', ' a ', '.a', 'a/..', '%2e', '-', '0', 'ü', '👩‍👩‍👧'])
    expect(externalId().safeParse(id).success, id).toBe(true)
})

test('in every body and every input that names a user', async () => {
  const slug = await makeCampaign(world, 'summer-sale')
  const { secret } = world.keys
  const bodies: [string, (id: string) => object][] = [
    ['/v1/points/award', (userId) => ({ userId, eventType: 'signup' })],
    ['/v1/games/play', (userId) => ({ userId, gameType: 'NEON_WHEEL' })],
    [`/v1/campaigns/${slug}/events`, (userId) => ({ userId, eventType: 'purchase' })],
    [`/v1/campaigns/${slug}/redeem`, (userId) => ({ userId, code: 'x' })],
    [
      `/v1/campaigns/${slug}/referrals`,
      (refereeId) => ({ referrerId: 'a', refereeId, referralCode: 'x' }),
    ],
    ['/v1/user-journeys/users', (id) => ({ externalId: id })],
    ['/v1/user-journeys/events', (id) => ({ externalId: id, category: 'CUSTOM', eventType: 'x' })],
  ]
  for (const [path, bodyOf] of bodies)
    for (const id of [' ', '.', '..']) {
      const key =
        path.startsWith('/v1/user-journeys') || path.endsWith('play') ? world.keys.public : secret
      const { status, body } = await world.post(path, key, bodyOf(id))
      expect([status, body.errorCode], `${path} ${JSON.stringify(id)}`).toEqual([
        400,
        'VALIDATION_FAILED',
      ])
    }
  const { body } = await world.post('/v1/user-journeys/track', world.keys.public, {
    events: [{ externalId: '..', category: 'CUSTOM', eventType: 'x' }],
  })
  expect(body.data).toMatchObject({ accepted: 0, rejected: 1 })
  const { partnerId } = world.partner
  const found = await world.runtime.db.endUser.count({
    where: { partnerId, externalId: { in: [' ', '.', '..'] } },
  })
  expect(found).toBe(0)
})
