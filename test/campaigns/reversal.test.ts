/** Reversals of points of campaigns, with and without REVOKE. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { pointsByHand } from '../points/by-hand.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign, times } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
let hand: ReturnType<typeof pointsByHand>
beforeAll(async () => {
  world = await createWorld()
  call = callsTo(world)
  hand = pointsByHand(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const stateOf = async (slug: string, userId: string) => {
  const { rank, totalPoints, eventsCount } = (await call.participant(slug, userId)).body.data
  return { rank, totalPoints, eventsCount, balance: await call.balance(userId) }
}

/** A campaign in which two users have bought: one twice, one once. */
const two = async (onReversal: 'KEEP' | 'REVOKE') => {
  const slug = await makeCampaign(world, 'summer-sale', { instantWinRules: null, onReversal })
  const [first, second] = [randomUUID(), randomUUID()]
  for (const userId of [first, second, first]) await call.buy(slug, userId)
  return { slug, first, second, entries: await hand.history(first) }
}

it('keeps points and rank in the campaign, which is the default', async () => {
  const { slug, first, entries } = await two('KEEP')
  await hand.reverse(entries[0].uuid)
  expect(await stateOf(slug, first)).toEqual({
    rank: 1,
    totalPoints: 200,
    eventsCount: 2,
    balance: 100,
  })
})

it('takes points and rank of each reversed credit, once, where the campaign revokes them', async () => {
  const { slug, first, second, entries } = await two('REVOKE')
  await Promise.all([...entries, ...entries].map(({ uuid }) => hand.reverse(uuid)))
  expect(await stateOf(slug, first)).toEqual({
    rank: 2,
    totalPoints: 0,
    eventsCount: 2,
    balance: 0,
  })
  expect(await stateOf(slug, second)).toMatchObject({ rank: 1, totalPoints: 100 })
})

it('follows the rule that the campaign has at the time of the reversal, and leaves awards alone', async () => {
  const { slug, first, entries } = await two('KEEP')
  await hand.reverse(entries[0].uuid)
  const { body } = await world.graphql(
    `mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) {
      ... on UpdateCampaignPayload { campaign { onReversal } } } }`,
    { input: { campaign: { slug }, onReversal: 'REVOKE' } },
  )
  expect(body.data.updateCampaign.campaign).toEqual({ onReversal: 'REVOKE' })
  await hand.reverse(entries[1].uuid)
  await world.givePoints(first, 1)
  await hand.reverse((await hand.history(first))[0].uuid)
  expect(await stateOf(slug, first)).toMatchObject({ totalPoints: 100, balance: 0 })
})

it('stays exact while credits and reversals of a participant run at the same time', async () => {
  const slug = await makeCampaign(world, 'summer-sale', {
    instantWinRules: null,
    onReversal: 'REVOKE',
  })
  const userId = randomUUID()
  await Promise.all(times(10, () => call.buy(slug, userId)))
  const entries = await hand.history(userId)
  await Promise.all([
    ...entries.map(({ uuid }: { uuid: string }) => hand.reverse(uuid)),
    ...times(10, () => call.buy(slug, userId)),
  ])
  expect(await stateOf(slug, userId)).toMatchObject({ totalPoints: 1000, balance: 1000 })
})
