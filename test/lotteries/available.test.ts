import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const available = async () => (await world.get('/v1/lotteries/available', world.keys.secret)).body

test('a lottery shows its colour and logo, its limits and its next draw', async () => {
  const look = { primaryColor: '#1A2B3C', logoUrl: 'https://pictures.example.com/clover.png' }
  const lottery = await makeLottery(world, look)
  const [item] = (await available()).data
  expect(item).toMatchObject({
    ...look,
    id: lottery.id,
    partnerId: world.tenant.partnerId,
    lotteryType: 'NUMBERS',
    frequency: 'DAILY',
    drawFrequency: 'DAILY',
    requiresTicketPurchase: false,
    ticketPriceUsdCents: 0,
    currency: 'USD',
    maxTicketsPerUser: 10_000,
    nextDrawAt: (await openDrawOf(world, lottery)).drawsAt.toISOString(),
  })
  expect(Object.keys(item)).not.toContain('next')
})

test('fields that are not set are null, and so is the next draw if none is open', async () => {
  const startsAt = new Date(Date.now() + 3_600_000)
  const { id } = await makeLottery(world, { startsAt })
  const item = (await available()).data.find((item: { id: string }) => item.id === id)
  expect(item).toMatchObject({
    primaryColor: null,
    logoUrl: null,
    openDraw: null,
    nextDrawAt: null,
    maxTicketsPerUser: 10_000,
  })
})

test('a colour has six hexadecimal digits, and a logo is a web address', async () => {
  const set = (look: object) =>
    world.graphql(
      `mutation ($input: CreateLotteryInput!) { result: createLottery(input: $input) {
        ... on ValidationError { errors { path } } } }`,
      { input: { slug: 'look', name: 'Look', frequency: 'DAILY', rules, ...look } },
    )
  const rules = { mainRange: { count: 1, min: 1, max: 9 }, maxTicketsPerUser: 1, tiers: [] }
  for (const look of [{ primaryColor: 'red' }, { logoUrl: 'javascript:alert(1)' }]) {
    const { errors } = (await set(look)).body.data.result
    expect(errors.map(({ path }: { path: string[] }) => path[0])).toContain(Object.keys(look)[0])
  }
})

test('null clears the description of a lottery, and a change without it keeps it', async () => {
  const { id } = await makeLottery(world, { description: 'Every day at noon.' })
  const change = async (input: object) => {
    const { body } = await world.graphql(
      `mutation ($input: UpdateLotteryInput!) { result: updateLottery(input: $input) {
        ... on UpdateLotteryPayload { lottery { description } } } }`,
      { input: { lottery: { id }, ...input } },
    )
    return body.data.result.lottery.description
  }
  expect(await change({ name: 'Noon' })).toBe('Every day at noon.')
  expect(await change({ description: null })).toBe('')
  expect(await change({ description: 'At noon.' })).toBe('At noon.')
})
