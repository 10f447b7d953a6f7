/** An export of many rows is complete. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runExports } from '../../src/exports/export.jobs.ts'
import { createWorld, onPostgres, type World } from '../world.ts'
import { exporting } from './exporting.ts'
import { plantEntries } from './many-rows.ts'

/** The embedded database takes long to plant more. */
const half = onPostgres ? 100_000 : 2_500

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** Makes an export and downloads it; returns its fields, and the number of ids in its lines. */
const exportAll = async () => {
  const calls = exporting(world)
  const { export: started } = await calls.start('LEDGER', { format: 'CSV' })
  await runExports(world.runtime)
  const { status, rowCount, url, byteCount } = await calls.read(started.id)
  const response = await fetch(calls.here(url))
  const ids = new Set<string>()
  let [size, lines, rest] = [0, 0, '']
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    const parted = (rest + Buffer.from(part).toString('latin1')).split('\r\n')
    rest = parted.pop() ?? ''
    lines += parted.length
    for (const line of parted) ids.add(line.slice(0, 36))
    await sleep(0)
  }
  return { status, rowCount, isWhole: size === byteCount, lines, ids: ids.size }
}

test('each of many rows is exported once', async () => {
  const rowCount = await plantEntries(world.server.database.pool, world.tenant, half)
  const [lines, ids] = [rowCount + 1, rowCount + 1]
  const whole = { status: 'COMPLETED', rowCount, isWhole: true, lines, ids }
  expect(await exportAll()).toEqual(whole)
}, 300_000)
