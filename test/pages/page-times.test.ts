/** Pages for players show times in the time zone of the partner, in the language of the brand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let campaignPath: string
let drawPath: string
const startsAt = new Date('2030-07-01T10:00:00Z')
beforeAll(async () => {
  world = await createWorld()
  const { db } = world.runtime
  const slug = await makeCampaign(world, 'summer-sale', { startsAt, endsAt: null })
  const { slug: partnerSlug } = await db.partner.findUniqueOrThrow({
    where: { id: world.tenant.partnerId },
  })
  campaignPath = `/campaign/${partnerSlug}/${slug}?env=test`
  const { id: lotteryId } = await makeLottery(world)
  const draw = await db.lotteryDraw.findFirstOrThrow({ where: { lotteryId, status: 'OPEN' } })
  const closesAt = new Date('2030-01-15T20:30:00Z')
  await db.lotteryDraw.update({ where: { id: draw.id }, data: { closesAt, drawsAt: closesAt } })
  drawPath = `/draws/${draw.id}`
})
afterAll(() => world.end())

const setBrand = async (language: 'EN' | 'DE') => {
  const { body } = await world.graphql(
    'mutation ($input: UpdateBrandInput!) { updateBrand(input: $input) { __typename } }',
    { input: { language } },
    { bearer: await world.signInAs('OWNER') },
  )
  expect(body.data.updateBrand.__typename).toBe('UpdateBrandPayload')
}

/** The times of a page: what is shown, the moment and the name of the zone. */
const timesOf = async (path: string) => {
  const { status, text } = await world.get(path)
  expect(status).toBe(200)
  return [...text.matchAll(/<time datetime="([^"]*)" title="([^"]*)">([^<]*)</g)].map(
    ([, moment, zone, shown]) => [moment, zone, shown],
  )
}

test.each([
  ['EN', 'UTC', '1 July 2030 at 10:00 UTC', '15 January 2030 at 20:30 UTC'],
  ['EN', 'Europe/Berlin', '1 July 2030 at 12:00 CEST', '15 January 2030 at 21:30 CET'],
  ['DE', 'Europe/Berlin', '1. Juli 2030 um 12:00 MESZ', '15. Januar 2030 um 21:30 MEZ'],
  ['DE', 'Asia/Kolkata', '1. Juli 2030 um 15:30 GMT+5:30', '16. Januar 2030 um 02:00 GMT+5:30'],
] as const)('in %s and %s', async (language, timeZone, start, close) => {
  const where = { id: world.tenant.partnerId }
  await world.runtime.db.partner.update({ where, data: { timeZone } })
  await setBrand(language)
  expect(await timesOf(campaignPath)).toContainEqual([startsAt.toISOString(), timeZone, start])
  expect(await timesOf(drawPath)).toContainEqual(['2030-01-15T20:30:00.000Z', timeZone, close])
})
