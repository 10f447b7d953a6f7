/** A draw that is closed while a ticket enters it. The embedded database runs one transaction at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/kit/database/db.ts'
import { closeDraw } from '../../src/lotteries/draw.ts'
import { lockOpenDraw } from '../../src/lotteries/entry-draw.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

describe.runIf(onPostgres)('a draw', () => {
  let now = Date.now()
  let world: World
  beforeAll(async () => {
    world = await createWorld({ clock: () => new Date(now) })
  })
  afterAll(() => world?.end())

  it('closes after the entries that it waits for', async () => {
    const { id } = await openDrawOf(world, await makeLottery(world))
    const { closing, enteredAt } = await inTransaction(world.runtime, async (work) => {
      await lockOpenDraw(work, id)
      const closing = closeDraw(world.runtime, id, { early: true })
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      const { pool } = world.server.database
      await expect.poll(async () => (await pool.query({ text: waiting })).rowCount).toBe(1)
      now += 1_000
      // In an object, so that the transaction does not wait for it.
      return { closing, enteredAt: work.clock() }
    })
    expect(await closing).toBe(true)
    const { closedAt } = await world.runtime.db.lotteryDraw.findUniqueOrThrow({ where: { id } })
    expect(closedAt).toEqual(enteredAt)
  })
})
