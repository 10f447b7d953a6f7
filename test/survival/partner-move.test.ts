/** `tessera partner move`: a partner moves to another cell under load, and loses nothing. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../packages/verifier/verify-draw.ts'
import { type Proof, verifyPlay } from '../../packages/verifier/verify-play.ts'
import { makeDraw } from '../lotteries/complete-draw.ts'
import { createReceiver, signatureOf } from '../webhooks/receiver.ts'
import { createWorld, type TestDatabase, type TestPartner, type World } from '../world.ts'
import { brokenIn, createCell, ended, kill, leftIn, run, slugOf } from './cell-commands.ts'
import { clientOf, startCellLoad } from './cell-load.ts'
import { startCluster } from './cluster.ts'
import { award, readCursor, readOn } from './feed-reader.ts'
import { hasNginx, startRouter } from './router.ts'

describe.skipIf(!hasNginx)('a partner', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let home: World
  let c2: World
  let router: Awaited<ReturnType<typeof startRouter>>
  const databases: Record<'home' | 'c2', TestDatabase> = {} as never

  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  const moveTo = (slug: string, to: 'home' | 'c2') =>
    `TARGET_DATABASE_URL=${databases[to].databaseUrl} partner move ${slug} --to-cell ${to === 'c2' ? 'c2' : 'default'}`
  const idsIn = async (name: 'home' | 'c2', table: string, partnerId: string) =>
    (await cluster.query(`SELECT id FROM ${table} WHERE partner_id = '${partnerId}'`, name))
      .map(({ id }) => id as string)
      .sort()

  /** A lock on rows or tables of a cell, until `release`. A command that needs them waits. */
  const lock = async (name: 'home' | 'c2', statement: string) => {
    const client = new pg.Client({ connectionString: cluster.url(name) })
    await client.connect()
    await client.query(`BEGIN; ${statement}`)
    return { release: () => client.end() }
  }
  const standingIn = async (name: 'home' | 'c2', partnerId: string) =>
    (await cluster.query(`SELECT move, cell FROM partner WHERE id = '${partnerId}'`, name))[0]
  const untilStands = async (name: 'home' | 'c2', partnerId: string, move: string) => {
    for (const end = Date.now() + 20_000; (await standingIn(name, partnerId))?.move !== move; ) {
      if (Date.now() > end) throw new Error(`never ${move}`)
      await sleep(20)
    }
  }
  /** The last table gets its fence when all others have theirs. */
  const untilFenced = async (partnerId: string) => {
    const text = `SELECT FROM pg_trigger WHERE tgname = 'moved_write_${partnerId.replaceAll('-', '')}'
      AND tgrelid = 'idempotent_request'::regclass`
    for (const end = Date.now() + 20_000; (await cluster.query(text, 'home')).length === 0; ) {
      if (Date.now() > end) throw new Error('never fenced')
      await sleep(20)
    }
  }
  const triggersIn = (name: 'home' | 'c2', { partnerId }: TestPartner) =>
    cluster.query(
      `SELECT tgname FROM pg_trigger WHERE tgname ~ '^(moved|noted)_.*${partnerId.replaceAll('-', '')}'`,
      name,
    )
  beforeAll(async () => {
    cluster = await startCluster()
    // The owner of the databases, who is no superuser.
    await cluster.query('CREATE ROLE app LOGIN')
    for (const name of ['home', 'c2'] as const) {
      const made = await cluster.createDatabase(name)
      await cluster.query(
        `ALTER DATABASE ${name} OWNER TO app; ALTER SCHEMA public OWNER TO app`,
        name,
      )
      databases[name] = { ...made, databaseUrl: cluster.url(name).replace('postgres@', 'app@') }
    }
    const config = { jobs: true, webhookAllowPrivate: true, trustProxy: 1 }
    home = await createWorld({ database: databases.home, config })
    const created = await ended(databases.home, createCell(databases.c2))
    expect(created.code, created.output).toBe(0)
    c2 = await createWorld({ database: databases.c2, config: { ...config, cell: 'c2' } })
    router = await startRouter({ home: home.base, c2: c2.base })
  })
  afterAll(async () => {
    await router?.end()
    for (const world of [home, c2]) await world?.end()
    for (const { drop } of Object.values(databases)) await drop()
    await cluster?.end()
  })

  test('does not move to a stranger, nor without the rights, nor with what is shared', async () => {
    const { secret } = home.keys
    const slug = await slugOf(home, home.partner)
    const refused = async (command: string, reason: RegExp) => {
      const { code, output } = await ended(databases.home, command)
      expect(output).toMatch(reason)
      expect(code).toBe(1)
    }
    await refused(moveTo(slug, 'c2'), /GRANT SET ON PARAMETER session_replication_role TO "app"/)
    await cluster.query('GRANT SET ON PARAMETER session_replication_role TO app')
    await refused(moveTo('nobody', 'c2'), /There is no partner nobody/)
    await refused(createCell(databases.c2), /in use or has data/)
    await refused(moveTo(slug, 'home'), /is in the other cell already/)
    await refused(`partner forget ${slug}`, /has not moved away/)
    const other = await home.createPartner()
    await cluster.query(
      `INSERT INTO member (id, partner_id, email, password_hash, role, is_operator) VALUES
        (gen_random_uuid(), '${other.partnerId}', 'op@example.com', '', 'OWNER', true)`,
      'home',
    )
    await refused(moveTo(await slugOf(home, other), 'c2'), /1 operators of the service/)
    // None of this has changed anything.
    expect((await award(home, secret, 1)).length).toBe(1)
    const { rows } = await home.server.database.pool.query({
      text: 'SELECT count(*)::int AS n FROM partner WHERE move IS NOT NULL',
    })
    expect(rows).toEqual([{ n: 0 }])
  })

  test('moves under load, though the first command is killed, and loses nothing', async () => {
    const { partner, keys } = home
    const { secret, public: key } = keys
    const slug = await slugOf(home, partner)
    const neighbour = await home.createPartner()
    const client = clientOf(router.base)
    const receiver = await createReceiver()
    const hook = { url: receiver.url, events: ['points.awarded'] }
    const signing: string = (await client.post('/v1/webhooks', secret, hook)).body.data.secret
    await award(client, secret, 30)
    const before = await readOn(client, secret)
    const { cursor } = await readCursor(client, secret, null, 10)
    const play = await client.post('/v1/games/play', key, {
      userId: 'user-0',
      gameType: 'NEON_WHEEL',
    })
    const proofOf = async (): Promise<Proof> =>
      (await client.get(`/v1/plays/${play.body.data.playId}/proof`, key)).body.data
    const proof = await proofOf()
    const draw = await makeDraw(home, partner)
    const drawn = await client.get(draw.proof, secret)

    const load = startCellLoad(router.base, keys)
    const others = startCellLoad(router.base, neighbour.test)
    ends.push(load.stop, others.stop)
    await load.more(100)
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Checking the guarantees')
    await kill(killed)
    // The copy is there, and home serves them.
    expect(await idsIn('c2', 'end_user', partner.partnerId)).not.toEqual([])
    expect(await standingIn('c2', partner.partnerId)).toEqual({ move: 'ARRIVING', cell: 'default' })
    expect((await clientOf(c2.base).get('/v1/users/user-0/balance', secret)).status).toBe(421)
    await load.more(100)
    expect([...load.refusals]).toEqual([])
    const moved = await ended(databases.home, moveTo(slug, 'c2'))
    expect(moved.code, moved.output).toBe(0)
    expect(moved.output).toMatch(/Moved [\d,]+ rows.* audit found nothing broken/)
    // The copied rows were not copied again.
    expect(moved.output).not.toContain('Copying rows')
    await load.more(100)
    for (const one of [load, others]) await one.stop()

    expect(load.faults).toEqual([])
    expect([...load.refusals.keys()]).toEqual(['PARTNER_MOVING'])
    // The neighbor has noticed nothing.
    expect([others.faults, [...others.refusals]]).toEqual([[], []])
    expect(await brokenIn(c2)).toEqual([])
    expect(await brokenIn(home)).toEqual([])

    // Every acknowledged write is in the other cell once, and nothing else is.
    const issued = await cluster.query(
      `SELECT id FROM ledger_entry WHERE account = 'issuance' AND partner_id = '${partner.partnerId}'`,
      'c2',
    )
    const events = await readOn(client, secret)
    const awarded = issued.map(({ id }) => id as string)
    expect(new Set(awarded).size).toBe(awarded.length)
    expect(load.awards.filter((id) => !awarded.includes(id))).toEqual([])
    // One by the test before, and 30 here.
    expect(awarded.length).toBe(load.awards.length + 31)
    const plays = await idsIn('c2', 'play', partner.partnerId)
    expect(plays).toEqual([...load.plays, play.body.data.playId].sort())

    // Readers of events continue where they were.
    expect(events.slice(0, before.length)).toEqual(before)
    const later: string[] = []
    for (let at: string | null = cursor; ; ) {
      const page = await readCursor(client, secret, at)
      later.push(...page.ids)
      if (page.ids.length === 0) break
      at = page.cursor
    }
    expect([...before.slice(0, 10), ...later].slice(0, events.length)).toEqual(events)

    // Webhooks continue with the same signatures, and proofs are the same.
    // The first award was before there was an endpoint.
    const announced = awarded.filter((id) => id !== before[0])
    const delivered = await receiver.untilEvents(announced.length)
    expect(announced.filter((id) => !delivered.has(id))).toEqual([])
    for (const { headers, text } of receiver.received)
      expect(headers['x-webhook-signature']).toBe(signatureOf(signing, text))
    expect(await proofOf()).toEqual(proof)
    await client.post('/v1/users/user-0/play-seeds/rotate', key, {})
    expect(verifyPlay(await proofOf()).every(({ ok }) => ok)).toBe(true)
    await receiver.end()
    const there = await client.get(draw.proof, secret)
    expect([there.status, there.text]).toEqual([200, drawn.text])
    expect((await verify(there.body.data)).every(({ ok }) => ok)).toBe(true)
    // Its page is found at both hosts.
    for (const base of [router.base, home.base, c2.base]) {
      const { status } = await fetch(`${base}/draws/${draw.id}`)
      expect([base, status]).toEqual([base, base === home.base ? 421 : 200])
    }

    // New keys name the cell, and the rest at home can be deleted.
    const again = await ended(databases.c2, moveTo(slug, 'c2'))
    expect(again.output).toMatch(/is in the other cell already/)
    const forgotten = await ended(databases.home, `partner forget ${slug}`)
    expect(forgotten.code, forgotten.output).toBe(0)
    expect(await leftIn(home, partner)).toEqual(['api_key', 'application', 'partner'])
    expect(await brokenIn(home)).toEqual([])
    expect((await client.get('/v1/users/user-0/balance', secret)).status).toBe(200)
    for (const name of ['home', 'c2'] as const) expect(await triggersIn(name, partner)).toEqual([])
  })

  test('is erased and purged in the copy, too, and no job touches what has been copied', async () => {
    const guest = await home.createPartner()
    const { partnerId } = guest
    const { secret } = guest.test
    const slug = await slugOf(home, guest)
    const client = clientOf(router.base)
    const receiver = await createReceiver()
    ends.push(receiver.end)
    await client.post('/v1/webhooks', secret, { url: receiver.url, events: ['points.awarded'] })
    await award(client, secret, 9)
    await receiver.until(9, 20_000)
    await cluster.query(
      `UPDATE webhook_delivery SET status = 'PENDING', next_attempt_at = now() + interval '1 hour', finished_at = NULL
        WHERE partner_id = '${partnerId}'`,
      'home',
    )
    const [{ id: old }] = await cluster.query(
      `INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        VALUES (gen_random_uuid(), '${partnerId}', 'TEST', 'test.old', '{}', now() - interval '29 days') RETURNING id`,
      'home',
    )
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Checking the guarantees')
    await kill(killed)
    const users = () =>
      cluster
        .query(`SELECT external_id AS name FROM end_user WHERE partner_id = '${partnerId}'`, 'c2')
        .then((rows) => rows.map(({ name }) => name as string).sort())
    expect(await users()).toEqual(['user-0', 'user-1', 'user-2'])

    // Jobs of the other cell find nothing that is theirs, though all of it is due and old.
    const shiftDue = (by: string) =>
      cluster.query(
        `SET session_replication_role = replica;
          UPDATE webhook_delivery SET next_attempt_at = next_attempt_at ${by} WHERE partner_id = '${partnerId}'`,
        'c2',
      )
    await shiftDue("- interval '2 hours'")
    const oldThere = `DELETE FROM event WHERE id = '${old}'`
    await cluster.query(oldThere, 'c2')
    expect(await idsIn('c2', 'event', partnerId)).toContain(old)
    await sleep(3_000)
    expect(receiver.received).toHaveLength(9)
    await shiftDue("+ interval '2 hours'")

    const erase = `mutation { eraseUser(input: { user: { externalId: "user-1" } }) { __typename } }`
    const erased = await client.graphql(erase, {}, { secret })
    expect(erased.body.data.eraseUser.__typename).toBe('EraseUserPayload')
    await cluster.query(oldThere, 'home')
    const moved = await ended(databases.home, moveTo(slug, 'c2'))
    expect(moved.code, moved.output).toBe(0)
    expect(moved.output).not.toContain('Copying rows')
    expect(await users()).not.toContain('user-1')
    const terms = `SELECT term FROM user_term WHERE partner_id = '${partnerId}' AND term LIKE '%user-1%'`
    expect(await cluster.query(terms, 'c2')).toEqual([])
    expect(await idsIn('c2', 'event', partnerId)).toEqual(await idsIn('home', 'event', partnerId))
    expect(await idsIn('c2', 'event', partnerId)).not.toContain(old)
    expect(await brokenIn(c2)).toEqual([])
  })

  test('is opened by the next command when one is killed at the last step', async () => {
    const guest = await home.createPartner()
    const { partnerId } = guest
    const { secret } = guest.test
    const slug = await slugOf(home, guest)
    const client = clientOf(router.base)
    await award(client, secret, 3)
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Holding writes')
    // The partner cannot be opened there.
    const { release } = await lock('c2', 'LOCK TABLE audit_entry IN SHARE MODE')
    await untilStands('home', partnerId, 'MOVED')
    await kill(killed)
    await release()
    expect(await standingIn('c2', partnerId)).toEqual({ move: 'ARRIVING', cell: null })
    const input = { userId: 'user-0', eventType: 'purchase' }
    expect((await client.post('/v1/points/award', secret, input)).status).toBe(503)
    const cancelled = await ended(databases.home, `${moveTo(slug, 'c2')} --cancel`)
    expect(cancelled.output).toMatch(/has moved already/)
    const moved = await ended(databases.home, moveTo(slug, 'c2'))
    expect([moved.code, moved.output]).toEqual([
      0,
      expect.stringContaining('is served by the cell c2'),
    ])
    expect((await client.post('/v1/points/award', secret, input)).status).toBe(200)
    expect(await idsIn('c2', 'ledger_entry', partnerId)).toHaveLength(4)
    expect(await triggersIn('c2', guest)).toEqual([])
    expect((await ended(databases.home, `partner forget ${slug}`)).code).toBe(0)
    expect(await brokenIn(c2)).toEqual([])
  })

  test('stays when a move is cancelled, and moves there and back', async () => {
    const guest = await home.createPartner()
    const { secret } = guest.test
    const slug = await slugOf(home, guest)
    const client = clientOf(router.base)
    await award(client, secret, 9)
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Holding writes')
    // Its last writes cannot be taken over.
    const { release } = await lock(
      'c2',
      `SELECT FROM partner WHERE id = '${guest.partnerId}' FOR UPDATE`,
    )
    await untilFenced(guest.partnerId)
    await kill(killed)
    await release()
    const input = { userId: 'user-0', eventType: 'purchase' }
    const purchase = () => client.post('/v1/points/award', secret, input)
    const refused = await purchase()
    expect([refused.status, refused.body.errorCode]).toEqual([503, 'PARTNER_MOVING'])
    // No program may write either.
    const behind = `UPDATE end_user SET balance = balance WHERE partner_id = '${guest.partnerId}'`
    await expect(cluster.query(behind, 'home')).rejects.toThrow('the partner is moving')
    expect((await client.get('/v1/users/user-0/balance', secret)).status).toBe(200)
    const cancelled = await ended(databases.home, `${moveTo(slug, 'c2')} --cancel`)
    expect(cancelled.code, cancelled.output).toBe(0)
    expect(await idsIn('c2', 'end_user', guest.partnerId)).toEqual([])
    for (const name of ['home', 'c2'] as const) expect(await triggersIn(name, guest)).toEqual([])
    expect((await purchase()).status).toBe(200)

    const events = await readOn(client, secret)
    // Changes of stages are events, too, and come when a job finds them.
    expect(events.length).toBeGreaterThanOrEqual(10)
    expect((await ended(databases.home, moveTo(slug, 'c2'))).code).toBe(0)
    expect((await purchase()).status).toBe(200)
    const early = await ended(databases.c2, moveTo(slug, 'home'))
    expect(early.output).toMatch(/still has rows/)
    const forgotten = await ended(databases.home, `partner forget ${slug}`)
    expect(forgotten.code, forgotten.output).toBe(0)
    expect(await leftIn(home, guest)).toEqual(['api_key', 'application', 'partner'])
    const back = run(databases.c2, moveTo(slug, 'home'))
    await back.until('Checking the guarantees')
    // A node of the cell writes when a key was used there, whoever serves the partner.
    await cluster.query(`UPDATE api_key SET last_used_at = now()`, 'home')
    expect(await back.exited, back.output()).toBe(0)
    expect((await purchase()).status).toBe(200)
    expect((await readOn(client, secret)).slice(0, events.length)).toEqual(events)
    expect(await idsIn('home', 'ledger_entry', guest.partnerId)).toHaveLength(12)
    expect(await brokenIn(home)).toEqual([])
    expect(await brokenIn(c2)).toEqual([])
  })

  test('whose ledger was archived keeps what the archive left', async () => {
    const past = await createWorld({
      database: databases.home,
      clock: () => new Date('2026-01-15T12:00:00.000Z'),
    })
    const { secret } = past.keys
    const slug = await slugOf(home, past.partner)
    const client = clientOf(router.base)
    const awardAs = (reference: string, at = client) =>
      at.post('/v1/points/award', secret, { userId: 'ann', eventType: 'signup', reference })
    for (const reference of ['a', 'b', 'c'])
      expect((await awardAs(reference, clientOf(past.base))).status).toBe(200)
    await past.server.stop()
    const file = join(databases.home.dataDir, 'archive.gz')
    const archived = await ended(databases.home, `ledger archive 2026-01 ${file}`)
    expect(archived.output).toContain('3 entries')
    expect((await awardAs('d')).status).toBe(200)

    const moved = await ended(databases.home, moveTo(slug, 'c2'))
    expect(moved.code, moved.output).toBe(0)
    const proven = await ended(databases.c2, `ledger verify ${file}`)
    expect(proven.code, proven.output).toBe(0)
    expect(proven.output).toContain('1 of 1 checkpoints')
    for (const reference of ['a', 'd']) expect((await awardAs(reference)).status).toBe(409)
    expect((await awardAs('e')).body.data).toMatchObject({ userBalance: 500 })
    const forgotten = await ended(databases.home, `partner forget ${slug}`)
    expect(forgotten.code, forgotten.output).toBe(0)
    expect(await leftIn(home, past.partner)).toEqual(['api_key', 'application', 'partner'])
    expect(await brokenIn(home)).toEqual([])
    expect(await brokenIn(c2)).toEqual([])
  })
})
