import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

let database: TestDatabase
const servers: ServerProcess[] = []
const start = async (on = database) => {
  const server = await startServer(on)
  servers.push(server)
  return server
}
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')))
  await database?.drop()
})

/** Awards through these servers at once until `stop`; returns the acknowledged ids. */
const load = (through: ServerProcess[], prefix: string) => {
  const key = demoKeys(database).secretTest
  const acknowledged: string[] = []
  const unexpected: number[] = []
  let isOn = true
  const worker = async (n: number) => {
    for (let i = 0; isOn; i++) {
      const server = through[(n + i) % through.length] as ServerProcess
      const answer = await server.award(key, {
        userId: `${prefix}-${n % 6}`,
        eventType: 'purchase',
        ...(i % 2 && { reference: `${prefix}-${n}-${i}` }),
      })
      if (answer?.status === 200) acknowledged.push(answer.ledgerId)
      else if (answer) unexpected.push(answer.status)
      else await new Promise((resolve) => setTimeout(resolve, 5)) // its server is gone
    }
  }
  const workers = Array.from({ length: 24 }, (_, n) => worker(n))
  const until = async (count: number) => {
    while (acknowledged.length < count && isOn)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const stop = async () => {
    isOn = false
    await Promise.all(workers)
    return { acknowledged, unexpected }
  }
  return { until, stop, acknowledged }
}

/** Checks the database itself: nothing is broken, and these awards are there. */
const expectAll = async (acknowledged: string[]) => {
  const { pool, close } = await openDatabase(database)
  try {
    expect(await audit(pool)).toBe(0)
    const { rows } = await pool.query({
      text: 'SELECT count(*)::int AS n FROM ledger_entry WHERE id = ANY($1::uuid[])',
      values: [acknowledged],
    })
    expect(rows[0].n).toBe(acknowledged.length)
  } finally {
    await close()
  }
}

describe.runIf(onPostgres)('two processes on one PostgreSQL database', () => {
  it('lose no acknowledged award when one of them is killed', { timeout: 180_000 }, async () => {
    const first = await start()
    const dataDir = mkdtempSync(join(database.dataDir, 'second-'))
    const second = await start({ ...database, dataDir })
    const { until, stop, acknowledged } = load([first, second], 'pair')
    await until(500)
    await second.kill('SIGKILL')
    await until(acknowledged.length + 200)
    const result = await stop()
    expect(result.unexpected).toEqual([])
    await expectAll(result.acknowledged)
    await first.kill('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })
})

describe.runIf(!onPostgres)('a process on the embedded database', () => {
  it('keeps every acknowledged award when it is killed under load', {
    timeout: 180_000,
  }, async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 2; round++) {
      const server = await start()
      const running = load([server], `round-${round}`)
      await running.until(400)
      await server.kill('SIGKILL')
      const result = await running.stop()
      expect(result.unexpected).toEqual([])
      acknowledged.push(...result.acknowledged)
    }
    const server = await start()
    const key = demoKeys(database).secretTest
    const answer = await server.award(key, { userId: 'after', eventType: 'signup' })
    expect(answer?.status).toBe(200)
    await server.kill('SIGTERM')
    await expectAll([...acknowledged, answer?.ledgerId ?? ''])
  })
})
