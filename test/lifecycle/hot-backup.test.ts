/** `tessera backup` of an embedded database that a server is using, under load. */

import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { acrossTenants } from '../../src/kit/database/tenant-client.ts'
import { backupSocket } from '../../src/kit/embedded/online-backup.ts'
import { createFolder } from '../folder.ts'
import { demoKeys, type ServerProcess, startProgram, startServer } from '../server-process.ts'
import { createDatabase, type TestDatabase } from '../world.ts'

let source: TestDatabase
let server: ServerProcess
let key: string
const folder = createFolder('hot-backup')
const fileOf = (name: string) => join(folder, name)

beforeAll(async () => {
  source = await createDatabase(false)
  server = await startServer(source, { JOBS: 'off' })
  key = demoKeys(source).secretTest
}, 300_000)
afterAll(async () => {
  await server?.kill('SIGKILL')
  await source?.drop()
})

const start = (command: string, file: string, dataDir = source.dataDir) =>
  startProgram({ DATA_DIR: dataDir }, `src/cli/${command}.ts ${file}`.trim())
const ended = async (program: ReturnType<typeof start>) => ({
  code: await program.exited,
  output: program.output(),
})
const restored = async (file: string) => {
  const dataDir = join(createFolder('restored'), 'data')
  return { dataDir, ...(await ended(start('restore', file, dataDir))) }
}

/** Awards until it is stopped. */
const startLoad = () => {
  const acknowledged: string[] = []
  let isRunning = true
  const run = async (user: string) => {
    while (isRunning) {
      const answer = await server.award(key, { userId: user, eventType: 'signup' })
      if (answer?.status === 200) acknowledged.push(answer.ledgerId)
    }
  }
  const running = Promise.all(['ann', 'bob', 'cid', 'dee'].map(run))
  return {
    acknowledged,
    until: async (count: number) => {
      while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    stop: async () => {
      isRunning = false
      await running
    },
  }
}

test('a backup under load has all that was acknowledged before it began, and is consistent', async () => {
  const load = startLoad()
  await load.until(50)
  const before = [...load.acknowledged]
  const file = fileOf('loaded')
  const written = await ended(start('backup', file))
  const during = load.acknowledged.length - before.length
  await load.until(load.acknowledged.length + 20)
  await load.stop()
  expect(written.code, written.output).toBe(0)
  expect(written.output).toMatch(/Writing MB/)
  expect(during).toBeGreaterThan(0)
  expect(statSync(file).mode & 0o077).toBe(0)

  const { dataDir, code, output } = await restored(file)
  expect(code, output).toBe(0)
  const audit = await ended(start('audit', '', dataDir))
  expect(audit.code, audit.output).toBe(0)
  const copy = await openDatabase({ dataDir, databaseUrl: undefined })
  const { ledgerEntry } = acrossTenants(copy.db, 'OPERATOR')
  const found = new Set((await ledgerEntry.findMany({ select: { id: true } })).map(({ id }) => id))
  await copy.close()
  expect(before.filter((id) => !found.has(id))).toEqual([])
  // Keys issued before are valid, and the ledger continues.
  const next = await startServer({ ...source, dataDir }, { JOBS: 'off' })
  expect(await next.award(key, { userId: 'ann', eventType: 'signup' })).toMatchObject({
    status: 200,
  })
  await next.kill('SIGTERM')
}, 600_000)

test('a command that is killed leaves no file, and one on a later day cleans up', async () => {
  const file = fileOf('killed')
  const partials = () => readdirSync(folder).filter((name) => name.endsWith('.partial'))
  const killed = start('backup', file)
  await killed.until('Writing MB')
  await killed.end('SIGKILL')
  expect(existsSync(file)).toBe(false)
  const [left] = partials()
  // Another command may be writing it, in a container in which process ids are the same.
  writeFileSync(fileOf('killed.1.partial'), '')
  const again = await ended(start('backup', file))
  expect(again.code, again.output).toBe(0)
  expect(partials().sort()).toEqual([left, 'killed.1.partial'].sort())
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  for (const name of partials()) utimesSync(fileOf(name), yesterday, yesterday)
  rmSync(file)
  const later = await ended(start('backup', file))
  expect(later.code, later.output).toBe(0)
  expect(partials()).toEqual([])
}, 300_000)

test('one backup at a time; who does not read on loses it', async () => {
  const socket = connect(backupSocket(source.dataDir))
  await once(socket, 'readable')
  const file = fileOf('second')
  const second = await ended(start('backup', file))
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining('Another backup') })
  socket.destroy()
  await once(socket, 'close')
  await expect
    .poll(() => ended(start('backup', file)), { timeout: 60_000 })
    .toMatchObject({ code: 0 })
}, 300_000)

test('a server that is killed gives no file, and starts again', async () => {
  const file = fileOf('without-server')
  const running = start('backup', file)
  await running.until('Writing MB')
  await server.kill('SIGKILL')
  const { code, output } = await ended(running)
  expect(code).toBe(1)
  expect(output).toContain('nothing was written')
  expect(readdirSync(folder).filter((name) => name.startsWith('without-server'))).toEqual([])
  server = await startServer(source, { JOBS: 'off' })
  expect(await server.award(key, { userId: 'ann', eventType: 'signup' })).toMatchObject({
    status: 200,
  })
}, 300_000)

test('a server that stops breaks a backup off; without a server the command makes it', async () => {
  const file = fileOf('stopped')
  const running = start('backup', file)
  await running.until('Writing MB')
  await server.kill('SIGTERM')
  const { code, output } = await ended(running)
  // It may have been complete already.
  expect(existsSync(file)).toBe(code === 0)
  if (code !== 0) expect(output).toContain('nothing was written')
  expect(existsSync(backupSocket(source.dataDir))).toBe(false)
  expect(await ended(start('backup', fileOf('cold')))).toMatchObject({ code: 0 })
}, 300_000)

test('a file that is cut off, damaged or of something else is refused, and nothing changes', async () => {
  const whole = readFileSync(fileOf('loaded'))
  const damaged = Buffer.from(whole)
  const middle = Math.floor(whole.length / 2)
  damaged.fill(0x55, middle, middle + 64)
  const wrong: [string, Buffer][] = [
    ['cut off or damaged', whole.subarray(0, middle)],
    ['cut off or damaged', whole.subarray(0, whole.length - 4)],
    ['damaged', damaged],
    ['ends too early', gzipSync('short')],
    ['it has no database', gzipSync(Buffer.alloc(1024))],
    ['is no backup', Buffer.from('text')],
  ]
  const results = wrong.map(async ([message, content], n) => {
    const file = fileOf(`wrong-${n}`)
    writeFileSync(file, content)
    return { message, ...(await restored(file)) }
  })
  for (const { message, dataDir, code, output } of await Promise.all(results)) {
    expect(code, output).toBe(1)
    expect(output).toContain(message)
    expect(['db', 'db.restored'].some((name) => existsSync(join(dataDir, name)))).toBe(false)
  }
}, 300_000)
