import { afterAll, beforeAll, expect, it } from 'vitest'
import { markCampaigns } from '../../src/campaigns/campaign.jobs.ts'
import { pick, runRandom } from '../games/random.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

const minute = 60_000
let now = Date.parse('2030-01-01T00:00:00Z')
const endsAt = new Date(now + 60 * minute)

let world: World
let call: ReturnType<typeof callsTo>
let slug: string
let campaignId: string
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
  call = callsTo(world)
  slug = await makeCampaign(world, 'summer-sale', { instantWinRules: null, startsAt: null, endsAt })
  const { id } = await world.runtime.db.campaign.findFirstOrThrow({ where: { slug } })
  campaignId = id
  const random = runRandom()
  const users = Array.from({ length: 30 }, (_, i) => `user${i}`)
  for (let i = 0; i < 120; i++) {
    now += random.int(3) // often the same moment
    await call.buy(slug, pick(random, users))
  }
})
afterAll(() => world.end())

/** The ranks that participants say they have, in the order of the leaderboard, which is read without marks. */
const ranksInOrder = async (): Promise<number[]> => {
  const { body } = await world.graphql(
    `{ campaign(by: { slug: "${slug}" }) { leaderboard(first: 100) { nodes { participant { rank } } } } }`,
  )
  type Node = { participant: { rank: number } }
  return body.data.campaign.leaderboard.nodes.map(({ participant }: Node) => participant.rank)
}
const upTo = (length: number) => Array.from({ length }, (_, i) => i + 1)

/** All pages, by their numbers. */
const readPages = async (limit: number, length: number) => {
  const entries = []
  for (let page = 1; page <= Math.ceil(length / limit); page++) {
    const path = `/v1/campaigns/${slug}/leaderboard?page=${page}&limit=${limit}`
    entries.push(...(await world.get(path, world.keys.secret)).body.data.entries)
  }
  expect(entries.map(({ rank }) => rank)).toEqual(upTo(length))
  return entries
}

const marks = () => world.runtime.db.campaignMark.findMany({ where: { campaignId } })

it('ranks are the same when the leaderboard is long enough for marks', async () => {
  const { length } = await ranksInOrder()
  for (const every of [1, 2]) {
    await markCampaigns(world.runtime, every)
    expect(await marks()).toHaveLength(Math.floor(length / every) - 9)
    expect(await ranksInOrder()).toEqual(upTo(length))
    for (const limit of [7, 1])
      expect(await readPages(limit, length)).toEqual(await readPages(100, length))
    now += 1_000
  }
})

it('somebody who overtakes counts for those behind a mark when it is counted again', async () => {
  const last = await world.runtime.db.campaignParticipant.findFirstOrThrow({
    where: { campaignId },
    orderBy: [{ totalPoints: 'asc' }, { pointsReachedAt: 'desc' }],
  })
  const { length } = await ranksInOrder()
  for (let i = 0; i < 15; i++) await call.buy(slug, last.externalId)
  const late = await ranksInOrder()
  expect(late[0]).toBe(1)
  expect(late).not.toEqual(upTo(length))
  expect(Math.max(...late.map((rank, i) => Math.abs(rank - (i + 1))))).toBe(1)
  now += 1_000
  await markCampaigns(world.runtime, 2)
  expect(await ranksInOrder()).toEqual(upTo(length))
})

it('a campaign is counted once after its end', async () => {
  now = endsAt.getTime() + 2 * minute
  await markCampaigns(world.runtime, 2)
  const counted = await marks()
  expect(new Set(counted.map(({ countedAt }) => countedAt.getTime()))).toEqual(new Set([now]))
  now += 60 * minute
  await markCampaigns(world.runtime, 2)
  expect(await marks()).toEqual(counted)
})

it('marks of a campaign that is gone are deleted', async () => {
  const { db } = world.runtime
  const gone = '00000000-0000-7000-8000-000000000000'
  const at = new Date(now - minute)
  await db.campaignMark.create({
    data: { campaignId: gone, no: 10, score: 1n, reachedAt: at, ahead: 1, countedAt: at },
  })
  await markCampaigns(world.runtime, 2)
  expect(await db.campaignMark.count({ where: { campaignId: gone } })).toBe(0)
})
