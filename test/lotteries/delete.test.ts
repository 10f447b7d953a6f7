/** Lotteries of which no draw has opened are deleted; others are not. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { lotteryJobs } from '../../src/lotteries/lottery.jobs.ts'
import { createWorld, type World } from '../world.ts'
import { makeLottery } from './lottery.ts'

let world: World
const now = Date.now()
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now) })
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const remove = async (lottery: object, by = world.keys) => {
  const { body } = await world.graphql(
    `mutation ($lottery: LotteryBy!) { deleteLottery(input: { lottery: $lottery }) {
      ... on DeleteLotteryPayload { deletedId lottery { status } } ... on Error { code } } }`,
    { lottery },
    by,
  )
  return body.data.deleteLottery
}

const inDays = (days: number) => new Date(now + days * 24 * 3_600_000)

const schedule = (id: string) =>
  world.graphql(
    `mutation ($input: ScheduleLotteryDrawInput!) { scheduleLotteryDraw(input: $input) { __typename } }`,
    { input: { lottery: { id }, opensAt: inDays(1), closesAt: inDays(2) } },
  )

const drawsOf = (lotteryId: string) => world.runtime.db.lotteryDraw.count({ where: { lotteryId } })

test('a draft is deleted', async () => {
  const { id, slug } = await makeLottery(world, { isDraft: true })
  const deletedId = Buffer.from(`Lottery:${id}`).toString('base64url')
  expect(await remove({ slug })).toEqual({ deletedId, lottery: { status: expect.any(String) } })
  expect(await remove({ id })).toEqual({ code: 'LOTTERY_NOT_FOUND' })
  const entries = await world.runtime.db.auditEntry.findMany({ where: { targetId: id } })
  expect(entries).toMatchObject([{ action: 'deleteLottery', targetType: 'Lottery' }])
  await makeLottery(world, { slug, isDraft: true })
})

test('one whose draws have not opened is deleted with them', async () => {
  const { id } = await makeLottery(world, { startsAt: inDays(1), firstClosesAt: inDays(3) })
  await schedule(id)
  expect(await drawsOf(id)).toBe(2)
  expect(await remove({ id })).toMatchObject({ deletedId: expect.any(String) })
  expect(await drawsOf(id)).toBe(0)
  for (const job of lotteryJobs) await job.run(world.runtime)
})

test('one of which a draw has opened is not, even if nobody entered and the draw was cancelled', async () => {
  const { id } = await makeLottery(world)
  expect(await remove({ id })).toEqual({ code: 'LOTTERY_IN_USE' })
  const draw = await world.runtime.db.lotteryDraw.findFirstOrThrow({ where: { lotteryId: id } })
  await world.graphql(
    `mutation { cancelLotteryDraw(input: { lotteryDrawId: "${draw.id}" }) { __typename } }`,
  )
  expect(await remove({ id })).toEqual({ code: 'LOTTERY_IN_USE' })
})

test('only its manager may delete it', async () => {
  const { id } = await makeLottery(world, { isDraft: true })
  for (const by of [world.partner.live, (await world.createPartner()).test])
    expect(await remove({ id }, by)).toEqual({ code: 'LOTTERY_NOT_FOUND' })
  expect(await world.runtime.db.lottery.count({ where: { id } })).toBe(1)
})

test('a launch check says what a draw can cost, when it draws, and what is missing', async () => {
  const check = async (id: string) => {
    const { body, text } = await world.graphql(
      `query ($id: ID!) { lottery(by: { id: $id }) { launchCheck {
        issues { severity code } nextDrawAt pot { amountCents } largestPrize { amountCents }
        expectedPayout { currency } maxPayout { amountCents } } } }`,
      { id },
    )
    expect(body.errors, text).toBeUndefined()
    return body.data.lottery.launchCheck
  }
  const { id } = await makeLottery(world, {
    ...{ isDraft: true, description: null, drawDelaySeconds: 60 },
    ...{ startsAt: inDays(1), firstClosesAt: inDays(3), endsAt: inDays(9) },
  })
  const drawsAt = (days: number) => new Date(inDays(days).getTime() + 60_000).toISOString()
  expect(await check(id)).toMatchObject({
    ...{ issues: [{ severity: 'WARNING', code: 'NO_DESCRIPTION' }], nextDrawAt: drawsAt(3) },
    ...{ expectedPayout: { currency: 'USD' }, maxPayout: null },
  })
  await world.runtime.db.lottery.update({ where: { id }, data: { endsAt: inDays(-1) } })
  expect(await check(id)).toMatchObject({
    ...{ issues: [{ severity: 'BLOCKER', code: 'ALREADY_OVER' }, {}], nextDrawAt: null },
  })
})
