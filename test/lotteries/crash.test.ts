import { afterAll, beforeAll, expect, it } from 'vitest'
import { verify } from '../../packages/verifier/verify-draw.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import { runRandom } from '../games/random.ts'
import { freePort, startProgram } from '../server-process.ts'
import { createDatabase, createWorld, type TestDatabase } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database?.drop())

const hourMs = 3_600_000

const environment = () => ({
  DATA_DIR: database.dataDir,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
})

/** Creates a lottery whose open draw has `tickets` tickets. Returns the draw. */
const prepare = async (tickets: number) => {
  const world = await createWorld({ database })
  const lottery = await makeLottery(world)
  const entries = Array.from({ length: tickets }, (_, n) => ({
    ...world.tenant,
    email: `u${n}@example.com`,
    lotterySlug: lottery.slug,
    lines: null,
  }))
  for (let i = 0; i < tickets; i += 1_000)
    await enterLotteries(world.runtime, entries.slice(i, i + 1_000))
  const { id } = await openDrawOf(world, lottery)
  const { tenant, partner } = world
  await world.end()
  return { drawId: id, slug: lottery.slug, key: partner.test.secret, tenant }
}

/** Checks that the draw completed once, paid its wins, and has a valid proof. */
const expectDone = async (
  { drawId, slug, key }: Awaited<ReturnType<typeof prepare>>,
  tickets: number,
) => {
  const world = await createWorld({ database })
  try {
    expect(await audit(world.server.database.pool)).toBe(0)
    const draw = await world.runtime.db.lotteryDraw.findUniqueOrThrow({ where: { id: drawId } })
    expect([draw.status, draw.tickets]).toEqual(['COMPLETED', tickets])
    const { _sum } = await world.runtime.db.lotteryWin.aggregate({
      where: { drawId },
      _sum: { amountCents: true },
    })
    expect(_sum.amountCents).toBe(draw.payoutCents)
    const events = await world.runtime.db.event.count({
      where: { type: 'lottery.draw_completed', data: { path: ['drawId'], equals: drawId } },
    })
    expect(events).toBe(1)
    const { data } = (await world.get(`/v1/lotteries/${slug}/draws/${drawId}/proof`, key)).body
    expect((await verify(data)).filter(({ ok }) => !ok)).toEqual([])
  } finally {
    await world.end()
  }
}

/** Runs the draw in a process that kills itself some time after a number of messages. Returns the messages. */
const runUntil = async (drawId: string, steps: number, delayMs: number): Promise<string[]> => {
  const program = `test/lotteries/draw-process.ts ${drawId} ${steps} ${delayMs}`
  const { exited, output } = startProgram(environment(), program)
  await exited
  return output().trimEnd().split('\n')
}

it('a draw that is killed at every step continues and completes once', {
  timeout: 180_000,
}, async () => {
  const random = runRandom()
  const tickets = 4_000
  const prepared = await prepare(tickets)
  const reached = new Set<string>()
  let runs = 0
  for (let isDone = false; !isDone; runs++) {
    // After one or two messages: the next run continues where the last one stopped.
    const said = await runUntil(prepared.drawId, 1 + random.int(2), random.int(25))
    for (const line of said) reached.add(line.replace(/ \d+$/, ''))
    isDone = said.at(-1) === 'done'
    expect(runs).toBeLessThan(60)
  }
  console.log(`killed ${runs - 1} times, at ${[...reached].join(', ')}`)
  expect(runs).toBeGreaterThan(3)
  await expectDone(prepared, tickets)
})

it('a server that is killed between closing and drawing draws after a restart', {
  timeout: 180_000,
}, async () => {
  const tickets = 2_000
  const prepared = await prepare(tickets)
  const plan = async (data: { closesAt?: Date; drawsAt: Date }) => {
    const { db, close } = await openDatabase(database)
    await db.lotteryDraw.update({ where: { id: prepared.drawId }, data })
    await close()
  }
  const statusOf = async (port: number) => {
    const url = `http://127.0.0.1:${port}/v1/lotteries/${prepared.slug}/draws/${prepared.drawId}`
    const answer = await fetch(url, { headers: { 'x-api-secret': prepared.key } })
    const { data } = (await answer.json()) as { data: { status: string } }
    return data.status
  }
  const runUntilDrawIs = async (status: string, signal: 'SIGTERM' | 'SIGKILL') => {
    const port = await freePort()
    const server = startProgram({ ...environment(), PORT: String(port), HOST: '127.0.0.1' })
    await server.until('Ctrl-C')
    await expect.poll(() => statusOf(port), { timeout: 80_000 }).toBe(status)
    await server.end(signal)
  }
  await plan({ closesAt: new Date(), drawsAt: new Date(Date.now() + hourMs) })
  await runUntilDrawIs('CLOSED', 'SIGKILL')
  await plan({ drawsAt: new Date() })
  await runUntilDrawIs('COMPLETED', 'SIGTERM')
  await expectDone(prepared, tickets)
})
