/** Entries are archived while a server serves; balances, references and the audit do not notice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../tools/invariants.ts'
import { openLedgerFile, type Segment, writeLedgerFile } from '../../tools/ledger-file.ts'
import { ContradictionError, readOld, takeOver } from '../../tools/ledger-rows.ts'
import { createFolder } from '../folder.ts'
import { seed } from '../rest/junk.ts'
import { createWorld, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

const start = new Date('2026-01-10T12:00:00.000Z')
const dayMs = 86_400_000
let now = start
let world: World
let folder: string
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  folder = mkdtempSync(join(createFolder('archive'), 'files-'))
})
afterAll(async () => {
  await world.end()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0

/** Writes entries from before a time into a new file. */
const write = async (until: Date): Promise<string> => {
  const file = join(folder, `${++files}.gz`)
  const client = await world.server.database.direct.connect()
  try {
    await writeLedgerFile(
      file,
      until,
      readOld(client, until, () => {}),
    )
  } finally {
    client.release()
  }
  return file
}

/** Takes over a file, or only its first steps. */
const take = async (file: string, steps = Number.POSITIVE_INFINITY) => {
  const { segments, until } = await openLedgerFile(file)
  const client = await world.server.database.direct.connect()
  let left = steps
  try {
    return await takeOver(client, segments, until, async () => {
      left -= 1
      if (left <= 0) throw new Error('killed')
    })
  } finally {
    client.release()
  }
}

const archive = async (until: Date) => {
  const file = await write(until)
  await take(file)
  return file
}

const award = (userId: string, more = {}, keys = world.keys) =>
  world.post('/v1/points/award', keys.secret, { userId, eventType: 'signup', ...more })

const play = (userId: string, keys = world.keys) =>
  world.post('/v1/games/play', keys.public, { userId, gameType: 'NEON_WHEEL' })

const expectSound = async () => {
  const broken: string[] = []
  await audit(world.server.database.pool, (name, count) => count > 0 && broken.push(name))
  expect(broken).toEqual([])
}

const listOf = async (
  userId: string,
  args = 'first: 10',
  keys = world.keys,
): Promise<{ archived: number; numbers: number[]; total: number; next: boolean; end: string }> => {
  const { body } = await world.graphql(
    `query ($id: String!) { user(by: { externalId: $id }) { archivedEntryCount history(${args}) {
      nodes { balanceAfter } totalCount { value } pageInfo { hasNextPage endCursor } } } }`,
    { id: userId },
    keys,
  )
  const { archivedEntryCount, history } = body.data.user
  return {
    archived: archivedEntryCount,
    numbers: history.nodes.map((node: { balanceAfter: number }) => node.balanceAfter / 100),
    total: history.totalCount.value,
    next: history.pageInfo.hasNextPage,
    end: history.pageInfo.endCursor,
  }
}

describe('after the entries of a month were archived', () => {
  let before: Record<string, number | unknown>
  const statistics = async () =>
    (
      await world.server.database.pool.query({
        text: `SELECT metric, key, sum(sums[cardinality(sums)])::int AS n FROM packed_statistic
          WHERE partner_id = $1 AND metric LIKE 'POINTS%' GROUP BY 1, 2 ORDER BY 1, 2`,
        values: [world.partner.partnerId],
      })
    ).rows
  const hand = () => pointsByHand(world)
  let cursor: string
  let oldEntry: string
  let events: number
  const countEvents = () => world.runtime.db.event.count()

  beforeAll(async () => {
    now = start
    for (let n = 1; n <= 4; n++) await award('ann', { reference: `ann-${n}`, metadata: { n } })
    const old = await hand().history('ann')
    oldEntry = old[3].uuid
    await award('bob')
    await hand().adjust('bob', 500, { reference: 'gift' })
    await hand().adjust('bob', -20)
    for (let n = 0; n < 3; n++) await play('bob')
    await hand().reverse(old[0].uuid)
    now = new Date('2026-02-03T00:00:00.000Z')
    await award('ann', { reference: 'ann-5' })
    await award('carl')
    await play('bob')
    cursor = (await listOf('ann', 'first: 2')).end
    before = { statistics: await statistics() }
    events = await countEvents()
    await archive(new Date('2026-02-01T00:00:00.000Z'))
  })

  it('the audit finds nothing, and statistics and events are as before', async () => {
    await expectSound()
    expect(await statistics()).toEqual(before.statistics)
    expect(await countEvents()).toBe(events)
  })

  it('balances are as before, and the database has a checkpoint and what is newer', async () => {
    const { body } = await world.get('/v1/users/ann/balance', world.keys.secret)
    expect(body.data).toMatchObject({ totalPoints: 400 })
    const { ledgerCheckpoint, ledgerEntry, endUser } = world.runtime.db
    const ann = await endUser.findFirstOrThrow({ where: { externalId: 'ann' } })
    expect(await ledgerEntry.count({ where: { userId: ann.id } })).toBe(1)
    expect(await ledgerCheckpoint.findUnique({ where: { userId: ann.id } })).toMatchObject({
      ...{ entries: 5, points: 300n, earned: 300n },
    })
  })

  it('history ends where the archive does, from both sides and by a cursor of before', async () => {
    const archived = 5
    expect(await listOf('ann')).toMatchObject({ archived, numbers: [4], total: 1, next: false })
    expect(await listOf('ann', `first: 2, after: "${cursor}"`)).toMatchObject({ numbers: [] })
    expect(await listOf('ann', `last: 2`)).toMatchObject({ archived, numbers: [4] })
    expect(await listOf('carl')).toMatchObject({ archived: 0, numbers: [1], total: 1 })
  })

  it('a reference still awards once, and the error has no entry', async () => {
    expect((await award('ann', { reference: 'ann-1' })).body).toMatchObject({
      ...{ code: 409, errorCode: 'DUPLICATE_REFERENCE' },
      message: 'Duplicate reference; points already awarded for this reference',
    })
    expect((await award('zoe', { reference: 'ann-2' })).status).toBe(409)
    expect((await world.get('/v1/users/zoe/balance', world.keys.secret)).status).toBe(404)
    expect((await award('ann', { reference: 'ann-1', eventType: 'purchase' })).status).toBe(200)
    expect((await award('ann', { reference: 'ann-1' }, world.partner.live)).status).toBe(200)
    expect(await hand().adjust('bob', 500, { reference: 'gift' })).toMatchObject({
      ...{ code: 'DUPLICATE_REFERENCE', firstEntry: null },
    })
  })

  it('an archived entry is not reversed, and the message says why', async () => {
    const { body } = await world.graphql(
      `mutation ($id: ID!) { reverseLedgerEntry(input: { ledgerEntryId: $id, reason: "x" }) {
        ... on Error { code message } } }`,
      { id: oldEntry },
    )
    expect(body.data.reverseLedgerEntry).toEqual({
      code: 'LEDGER_ENTRY_NOT_FOUND',
      message: 'Ledger entry not found; if it is old, it was archived: adjust the points instead',
    })
  })

  it('an old play has no entry, and a new one has', async () => {
    const { body } = await world.graphql(`{ user(by: { externalId: "bob" }) {
      plays(first: 10) { nodes { ledgerEntry { points } } } } }`)
    const entries = body.data.user.plays.nodes.map(
      ({ ledgerEntry }: { ledgerEntry: object | null }) => ledgerEntry !== null,
    )
    expect(entries).toEqual([true, false, false, false])
  })

  it('an erased user keeps totals, and no reason is left', async () => {
    await world.graphql(
      `mutation { eraseUser(input: { user: { externalId: "bob" } }) { __typename } }`,
    )
    await expectSound()
    expect(await world.runtime.db.ledgerCorrection.count({ where: { reason: 'x' } })).toBe(1)
  })

  it('entries without a checkpoint for them are still not deleted, and checkpoints do not shrink', async () => {
    const { pool } = world.server.database
    await expect(pool.query('DELETE FROM ledger_entry')).rejects.toThrow('append-only')
    await expect(pool.query('UPDATE ledger_entry SET points = 1')).rejects.toThrow('append-only')
    await expect(pool.query('DELETE FROM ledger_checkpoint')).rejects.toThrow('only grow')
    await expect(pool.query('DELETE FROM archived_reference')).rejects.toThrow('append-only')
    for (const change of [
      `UPDATE highest_archived_reference SET reference = ''`,
      'DELETE FROM highest_archived_reference',
    ])
      await expect(pool.query(change)).rejects.toThrow('only rises')
    await expect(pool.query('UPDATE ledger_checkpoint SET entries = entries - 1')).rejects.toThrow(
      'only grow',
    )
  })
})

describe('the audit finds', () => {
  const changes = {
    'a checkpoint with another sum': 'UPDATE ledger_checkpoint SET points = points + 1',
    'a checkpoint that earned more': 'UPDATE ledger_checkpoint SET earned = earned + 1',
    'a checkpoint for more entries': 'UPDATE ledger_checkpoint SET entries = entries + 1',
    'a missing checkpoint': 'DELETE FROM ledger_checkpoint',
    'a missing reference': `DELETE FROM archived_reference WHERE hash = (SELECT min(hash::text)::uuid FROM archived_reference)`,
    'a missing highest reference': 'DELETE FROM highest_archived_reference',
    'an account that gave more': 'UPDATE archived_account SET received = received + 1',
  }
  it.each(Object.entries(changes))('%s', async (_, change) => {
    const client = await world.server.database.direct.connect()
    try {
      await client.query('BEGIN')
      for (const table of ['ledger_checkpoint', 'archived_reference', 'highest_archived_reference'])
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
      expect((await client.query(change)).rowCount).toBeGreaterThan(0)
      expect(await audit(client)).toBeGreaterThan(0)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})

describe('an archive that ends in the middle', () => {
  it('loses nothing after any step, and is continued by the same file', async () => {
    const { test: keys } = await world.createPartner()
    now = new Date('2026-03-05T00:00:00.000Z')
    for (let n = 0; n < 6; n++) await award(`killed-${n}`, { reference: `killed-${n}` }, keys)
    // Several segments, so that a user is in several steps.
    const tenant = await world.runtime.db.endUser.findFirstOrThrow({
      where: { externalId: 'killed-0' },
    })
    await world.server.database.pool.query({
      text: `WITH changed AS (UPDATE end_user SET balance = balance + 2500, lifetime_points = lifetime_points + 2500,
          score = score + 2500, entries = entries + 2500 WHERE id = $1)
        INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points, balance_after, account,
          created_at)
        SELECT gen_random_uuid(), $2, $3::"Environment", $1, n + 1, 'planted', 1, 100 + n, 'planted', $4::timestamptz
        FROM generate_series(1, 2500) n`,
      values: [tenant.id, tenant.partnerId, tenant.environment, now],
    })
    const until = new Date('2026-04-01T00:00:00.000Z')
    now = new Date('2026-04-02T00:00:00.000Z')
    const file = await write(until)
    for (let step = 1; step <= 3; step++) {
      await expect(take(file, 1)).rejects.toThrow('killed')
      await expectSound()
      expect((await award('killed-1', { reference: `killed-${step}` }, keys)).status).toBe(409)
      expect((await award('killed-1', {}, keys)).status).toBe(200)
    }
    // Another file takes over the rest.
    await archive(until)
    await expectSound()
    expect(await take(file)).toMatchObject({ entries: 0 })
    expect((await listOf('killed-0', 'first: 3', keys)).archived).toBe(2501)
  })

  it('deletes nothing that the file does not have', async () => {
    const { test: keys } = await world.createPartner()
    now = new Date('2026-05-05T00:00:00.000Z')
    await award('other', {}, keys)
    await award('other', {}, keys)
    const until = new Date('2026-06-01T00:00:00.000Z')
    const { segments } = await openLedgerFile(await write(until))
    const changed = async function* (): AsyncGenerator<Segment> {
      for await (const { before, lines, after } of segments)
        yield { before, lines, after: { ...after, sha256: '0'.repeat(64) } }
    }
    const client = await world.server.database.direct.connect()
    await expect(takeOver(client, changed(), until, async () => {})).rejects.toThrow(
      ContradictionError,
    )
    client.release()
    expect((await listOf('other', 'first: 5', keys)).numbers).toEqual([2, 1])
    await expectSound()
  })
})

const actions = fc.record({
  kind: fc.constantFrom('award', 'award', 'play', 'adjust', 'reverse', 'erase', 'archive'),
  user: fc.integer({ min: 1, max: 3 }).map((n) => `user-${n}`),
  // In another order by their bytes than by most collations.
  reference: fc.integer({ min: 1, max: 12 }).map((n) => `${'rR_é'[n % 4]}-${n}`),
  days: fc.integer({ min: 0, max: 20 }),
})

it(`random histories that are archived in random months keep balances, references and the audit (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 10, maxLength: 30 }), async (list) => {
      const { test: keys } = await world.createPartner()
      const hand = pointsByHand(world)
      const awarded = new Set<string>()
      const balances = new Map<string, number>()
      now = start
      for (const { kind, user, reference, days } of list) {
        now = new Date(now.getTime() + days * dayMs)
        if (kind === 'award') {
          const { status, body } = await award(user, { reference }, keys)
          expect(status).toBe(awarded.has(reference) ? 409 : 200)
          awarded.add(reference)
          if (status === 200) {
            // Ids of erased users start again.
            const balance = balances.get(user)
            if (balance !== undefined) expect(body.data.userBalance).toBe(balance + 100)
          }
        } else if (kind === 'play') await play(user, keys)
        else if (kind === 'adjust') await hand.adjust(user, days - 10 || 1, {}, keys)
        else if (kind === 'erase')
          await world.graphql(
            `mutation ($id: String!) { eraseUser(input: { user: { externalId: $id } }) { __typename } }`,
            { id: user },
            keys,
          )
        else if (kind === 'reverse') {
          const { body } = await world.graphql(
            `query ($id: String!) { user(by: { externalId: $id }) { history(first: 1) { nodes { uuid } } } }`,
            { id: user },
            keys,
          )
          const last = body.data.user?.history.nodes[0]?.uuid
          if (last) await hand.reverse(last, 'random', keys)
        } else await archive(new Date(Date.UTC(2026, now.getUTCMonth(), 1)))
        const { body } = await world.get(`/v1/users/${user}/balance`, keys.secret)
        if (body.data) balances.set(user, body.data.totalPoints)
        else balances.delete(user)
        if (kind === 'archive') await expectSound()
      }
      await archive(new Date(now.getTime() + 40 * dayMs))
      await expectSound()
    }),
    { seed, numRuns: 6, endOnFailure: true },
  )
})
