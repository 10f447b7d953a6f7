import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let call: ReturnType<typeof callsTo>
beforeAll(async () => {
  world = await createWorld()
  call = callsTo(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

it('the leaderboard ranks by points, then by time, then by userId, with pages and cursors', async () => {
  const slug = await makeCampaign(world, 'summer-sale', { instantWinRules: null })
  for (const userId of ['c', 'b', 'a', 'd']) await call.buy(slug, userId)
  await call.buy(slug, 'd')
  await call.record(slug, { userId: 'z', eventType: 'wave' })
  const board = async (query = '') =>
    (await world.get(`/v1/campaigns/${slug}/leaderboard${query}`, world.keys.secret)).body
  const { status, data } = await board()
  expect(status).toBe('success')
  expect(data.totalParticipants).toBe(5)
  expect(data.entries[0]).toEqual({
    rank: 1,
    userId: 'd',
    displayName: null,
    totalPoints: 200,
    eventsCount: 2,
  })
  for (const { rank, userId, totalPoints, eventsCount } of data.entries)
    expect((await call.participant(slug, userId)).body.data).toMatchObject({
      rank,
      totalPoints,
      eventsCount,
      plays: eventsCount,
    })
  expect((await call.participant(slug, 'd')).body.data.displayName).toBe(null)
  expect(data.entries.map(({ userId }: { userId: string }) => userId).join('')).toBe('dcbaz')
  expect((await board('?limit=2')).data.entries).toEqual(data.entries.slice(0, 2))
  expect((await board('?limit=0')).code).toBe(400)
  const seen = []
  let after: string | null = null
  do {
    const { body } = await world.graphql(
      `query ($after: String) { campaign(by: { slug: "${slug}" }) { leaderboard(first: 2, after: $after) {
        nodes { rank participant { user { externalId displayName } campaignPoints eventCount } }
        pageInfo { hasNextPage endCursor } } } }`,
      { after },
    )
    const { nodes, pageInfo } = body.data.campaign.leaderboard
    for (const { rank, participant } of nodes)
      seen.push({
        rank,
        userId: participant.user.externalId,
        displayName: participant.user.displayName,
        totalPoints: participant.campaignPoints,
        eventsCount: participant.eventCount,
      })
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
  expect(seen).toEqual(data.entries)
  // Backward from the end: the same, with the same ranks.
  const { body: back } = await world.graphql(
    `{ campaign(by: { slug: "${slug}" }) { leaderboard(last: 3) { nodes { rank participant { user { externalId } } } } } }`,
  )
  expect(back.data.campaign.leaderboard.nodes).toEqual(
    data.entries.slice(-3).map(({ rank, userId }: { rank: number; userId: string }) => ({
      rank,
      participant: { user: { externalId: userId } },
    })),
  )
  expect((await call.participant(slug, 'nobody')).body.message).toBe('Campaign or user not found')
  expect((await call.participant('no-such', 'a')).body.message).toBe('Campaign not found')
})

it('a participant is a node with edges to campaign and user; null for other users', async () => {
  const slug = await makeCampaign(world, 'golden-ticket')
  await call.buy(slug, 'eve')
  const user = await world.runtime.db.endUser.findFirstOrThrow({ where: { externalId: 'eve' } })
  const shown = `id uuid campaign { slug } user { externalId } campaignPoints eventCount eventsLeft
    winCount referralCode referralCount referralPoints rank`
  const ask = async (campaign: string, by: string) => {
    const { body } = await world.graphql(
      `{ campaign(by: { ${campaign} }) { participant(by: { ${by} }) { ${shown} } } }`,
    )
    expect(body.errors).toBeUndefined()
    return body.data.campaign
  }
  const { participant } = await ask(`slug: "${slug}"`, 'externalId: "eve"')
  expect(participant).toMatchObject({
    campaign: { slug },
    user: { externalId: 'eve' },
    campaignPoints: 10,
    rank: 1,
    eventCount: 1,
    eventsLeft: 19,
    winCount: 1,
    referralCode: null,
    referralCount: 0,
    referralPoints: 0,
  })
  expect(await ask(`slug: "${slug}"`, `id: "${user.id}"`)).toEqual({ participant })
  expect(await ask(`slug: "${slug}"`, 'externalId: "nobody"')).toEqual({ participant: null })
  expect(await ask('slug: "no-such"', 'externalId: "eve"')).toBe(null)
  const { body } = await world.graphql(
    `{ node(id: "${participant.id}") { ... on Participant { ${shown} } } }`,
  )
  expect(body.data.node).toEqual(participant)
})
