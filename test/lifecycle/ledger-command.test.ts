/** `tessera ledger archive` and `verify`, as an operator runs them. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/core/db/db.ts'
import { audit } from '../../tools/invariants.ts'
import { startCommand } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'bin/tessera.js')
const january = new Date('2026-01-15T12:00:00.000Z')
const february = new Date('2026-02-15T12:00:00.000Z')

let database: TestDatabase
let settings: Record<string, string>
let now = january
const pathOf = (name: string) => join(database.dataDir, name)

const run = async (args: string[], env = settings) => {
  const running = startCommand(process.execPath, [bin, ...args], env)
  const code = await running.exited
  return { code, output: running.output() }
}
const ended = (...args: string[]) => run(['ledger', ...args])
const succeeds = async (...args: string[]) => {
  const { code, output } = await ended(...args)
  expect(code, output).toBe(0)
  return output
}
const fails = async (...args: string[]) => {
  const { code, output } = await ended(...args)
  expect(code, output).not.toBe(0)
  return output
}

/** Runs with a server, which has the embedded database to itself. */
const serving = async (use: (world: World) => Promise<void>) => {
  const world = await createWorld({ database, clock: () => now })
  try {
    await use(world)
  } finally {
    await world.end()
  }
}

const countEntries = async () => {
  const { pool, close } = await openDatabase(database)
  try {
    expect(await audit(pool)).toBe(0)
    const text = 'SELECT count(*)::int AS n FROM ledger_entry'
    return (await pool.query({ text })).rows[0].n as number
  } finally {
    await close()
  }
}

const users = 9_000
/** Users with one entry each, of January. */
const plantUsers = async ({ server, tenant }: World) => {
  const { pool } = server.database
  const values = [tenant.partnerId, tenant.environment, users, january]
  await pool.query({
    text: `WITH made AS (
        INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, balance, lifetime_points, entries, score)
        SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'planted-' || n, $4::timestamptz, 1, 1, 1, 1
        FROM generate_series(1, $3::int) n RETURNING *), counted AS (
        INSERT INTO counter (partner_id, environment, name, shard, value) VALUES ($1, $2::"Environment", 'users', 99, $3))
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points, balance_after, account, reference,
        created_at)
      SELECT gen_random_uuid(), partner_id, environment, id, 1, 'planted', 1, 1, 'planted', external_id, $4::timestamptz FROM made`,
    values,
  })
}

beforeAll(async () => {
  database = await createDatabase()
  const { dataDir, databaseUrl } = database
  settings = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  await serving(async (world) => {
    for (let n = 0; n < 5; n++)
      await world.post('/v1/points/award', world.keys.secret, {
        ...{ userId: 'ann', eventType: 'signup', reference: `ann-${n}` },
        metadata: { text: 'Zürich \u2028 "x"\n', n: 1.5 },
      })
    await plantUsers(world)
    now = february
    await world.givePoints('ann', 2)
    now = new Date('2026-03-15T12:00:00.000Z')
    await world.givePoints('ann', 1)
  })
}, 120_000)
afterAll(() => database.drop())

describe('what is refused', () => {
  test.each([
    [['archive', '2026-13', 'file'], 'MONTH must be a month'],
    [['archive', '2026-01'], 'FILE is missing'],
    [['verify'], 'FILE is missing'],
    [['verify', 'file', '--complete', '--offline'], '--complete compares with the database'],
  ])('tessera ledger %j', async (args, message) => {
    expect(await ended(...args)).toEqual({ code: 2, output: expect.stringContaining(message) })
  })

  test('a month that has not ended for long enough', async () => {
    const month = new Date().toISOString().slice(0, 7)
    expect(await fails('archive', month, pathOf('new.gz'))).toContain('less than 30 days ago')
    expect(existsSync(pathOf('new.gz'))).toBe(false)
  })

  test('a folder that is not there', async () => {
    expect(await fails('archive', '2026-01', pathOf('none/file'))).toContain('There is no folder')
  })

  test('a file of something else', async () => {
    writeFileSync(pathOf('other'), 'text')
    expect(await fails('archive', '2026-01', pathOf('other'))).toContain('Nothing was deleted')
    expect(await fails('verify', pathOf('other'), '--offline')).toContain('is cut off or damaged')
  })

  test.runIf(!onPostgres)('a folder from which a server serves', async () => {
    await serving(async () => {
      expect(await fails('archive', '2026-01', pathOf('new.gz'))).toContain(
        `${database.dataDir} is in use`,
      )
    })
  })
})

test('a month before all entries has nothing to archive', async () => {
  expect(await succeeds('archive', '2025-12', pathOf('none.gz'))).toContain('There are no entries')
  expect(existsSync(pathOf('none.gz'))).toBe(false)
})

test('an archive that is killed while it deletes is continued by the same command', async () => {
  const all = await countEntries()
  const args = [join(root, 'tools/ledger-archive.ts'), '2026-01', pathOf('january.gz')]
  const running = startCommand(process.execPath, args, settings)
  await running.until('Deleting entries')
  await running.end('SIGKILL')
  const left = await countEntries()
  expect(left).toBeLessThan(all)
  expect(left).toBeGreaterThan(3)
  expect(statSync(pathOf('january.gz')).mode & 0o777).toBe(0o600)
  expect(await fails('verify', pathOf('january.gz'))).toContain('run tessera ledger archive again')
  expect(await succeeds('archive', '2026-01', pathOf('january.gz'))).toContain('Continued')
  expect(await countEntries()).toBe(3)
  expect(readdirSync(database.dataDir).filter((name) => name.endsWith('.partial'))).toEqual([])
}, 120_000)

test('the next archive continues the first, and both are proven together', async () => {
  expect(await succeeds('archive', '2026-02', pathOf('february.gz'))).toContain('2 entries of 1')
  expect(await countEntries()).toBe(1)
  const output = await succeeds('verify', pathOf('february.gz'), pathOf('january.gz'))
  expect(output).toContain('9,001 of 9,001 checkpoints')
  expect(output).not.toContain('note')
  const lines = gunzipSync(readFileSync(pathOf('february.gz')))
    .toString()
    .split('\n')
  const first = JSON.parse(lines[1] as string)
  expect(first).toMatchObject({ entries: 5, points: 500, earned: 500 })
  expect(gunzipSync(readFileSync(pathOf('january.gz'))).toString()).toContain(lines[1])
})

test('one of them alone says what is missing', async () => {
  expect(await succeeds('verify', pathOf('january.gz'))).toContain('1 users continue in a later')
  expect(await fails('verify', pathOf('january.gz'), '--complete')).toContain(
    'BROKEN  9,000 of 9,001 checkpoints',
  )
  await succeeds('verify', pathOf('january.gz'), pathOf('february.gz'), '--complete')
  expect(await succeeds('verify', pathOf('february.gz'))).toContain('1 users begin in an earlier')
})

test('a database that has moved is still proven by its archives', async () => {
  const there = { DATA_DIR: pathOf('moved') }
  const moved = await run(['move', '--to', there.DATA_DIR])
  expect(moved.code, moved.output).toBe(0)
  const { code, output } = await run(
    ['ledger', 'verify', pathOf('january.gz'), pathOf('february.gz')],
    there,
  )
  expect(code, output).toBe(0)
  expect(output).toContain('9,001 of 9,001 checkpoints')
}, 120_000)

test('references of the archive award no more, and the server goes on', async () => {
  await serving(async (world) => {
    const { rows } = await world.server.database.pool.query({
      text: `SELECT partner_id AS "partnerId", environment FROM end_user WHERE external_id = 'ann'`,
    })
    // The partner of the first world, whose keys are not known any more.
    const { awardPoints } = await import('../../src/points/points.ts')
    const [again] = await awardPoints(world.runtime, [
      { ...rows[0], externalId: 'ann', eventType: 'signup', reference: 'ann-3' },
    ])
    expect(again).toMatchObject({ code: 'DUPLICATE_REFERENCE', data: { ledgerEntryId: null } })
    const [other] = await awardPoints(world.runtime, [
      { ...rows[0], externalId: 'ann', eventType: 'signup', reference: 'ann-9' },
    ])
    expect(other).toMatchObject({ ledgerEntry: { entryNo: 9, balanceAfter: 900n } })
  })
})

describe('verify finds', () => {
  const change = (name: string, edit: (text: string) => string) => {
    const text = gunzipSync(readFileSync(pathOf('january.gz'))).toString()
    const changed = edit(text)
    expect(changed).not.toBe(text)
    writeFileSync(pathOf(name), gzipSync(changed))
    return pathOf(name)
  }
  const entry = /\{"entryNo":3[^\n]*\n/

  test.each<[string, (text: string) => string, string]>([
    [
      'other points',
      (t) => t.replace(/"points":100,"balanceAfter":300/, '"points":101,"balanceAfter":301'),
      'does not continue',
    ],
    ['a missing entry', (t) => t.replace(entry, ''), 'does not continue'],
    [
      'another reference',
      (t) => t.replace('"reference":"ann-2"', '"reference":"ann-x"'),
      'not what its entries say',
    ],
    [
      'another sum of a checkpoint',
      (t) => t.replace('"earned":500', '"earned":501'),
      'not what its entries say',
    ],
    [
      'a missing user',
      (t) => t.replace(/\{"userId"[^\n]*\n\{"entryNo"[^\n]*\n\{"userId"[^\n]*\n/, ''),
      'what its last line says',
    ],
    ['an end that is missing', (t) => t.replace(/\{"users"[^\n]*\n$/, ''), 'is cut off'],
  ])('%s', async (name, edit, message) => {
    const file = change(`${name}.gz`, edit)
    expect(await fails('verify', file, '--offline')).toContain(message)
  })

  test('a file that is cut off', async () => {
    copyFileSync(pathOf('january.gz'), pathOf('cut.gz'))
    writeFileSync(pathOf('cut.gz'), readFileSync(pathOf('january.gz')).subarray(0, -2_000))
    expect(await fails('verify', pathOf('cut.gz'), '--offline')).toContain('is cut off')
  })

  test('another checkpoint in the database', async () => {
    const { pool, close } = await openDatabase(database)
    await pool.query(`ALTER TABLE ledger_checkpoint DISABLE TRIGGER USER`)
    await pool.query(
      `UPDATE ledger_checkpoint SET sha256 = decode(repeat('00', 32), 'hex') WHERE entries = 7`,
    )
    await pool.query(`ALTER TABLE ledger_checkpoint ENABLE TRIGGER USER`)
    await close()
    const both = [pathOf('january.gz'), pathOf('february.gz')]
    expect(await fails('verify', ...both)).toContain('1 users have another checkpoint')
    expect(await succeeds('verify', ...both, '--offline')).not.toContain('BROKEN')
  })
})
