/** `tessera partner move`: a partner moves to another cell under load, and loses nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../tools/invariants.ts'
import { countRows } from '../../tools/partner-rows.ts'
import { writtenLate } from '../../tools/partner-tables.ts'
import { type Proof, verifyPlay } from '../../verify/verify-play.ts'
import { startProgram } from '../server-process.ts'
import { createReceiver, signatureOf } from '../webhooks/receiver.ts'
import { createWorld, type TestDatabase, type TestPartner, type World } from '../world.ts'
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

  const run = (from: TestDatabase, command: string) =>
    startProgram({ DATABASE_URL: from.databaseUrl as string }, `bin/tessera.js ${command}`)
  const ended = async (from: TestDatabase, command: string) => {
    const running = run(from, command)
    return { code: await running.exited, output: running.output() }
  }
  const slugOf = async (world: World, { partnerId }: TestPartner) =>
    (await world.runtime.db.partner.findUniqueOrThrow({ where: { id: partnerId } })).slug
  const moveTo = (slug: string, to: 'home' | 'c2') =>
    `partner move ${slug} --to ${databases[to].databaseUrl} --to-cell ${to === 'c2' ? 'c2' : 'default'}`
  const brokenIn = async (world: World) => {
    const broken: string[] = []
    await audit(world.server.database.pool, (name, n) => void (n > 0 && broken.push(name)))
    return broken
  }
  const idsIn = async (name: 'home' | 'c2', table: string, partnerId: string) =>
    (await cluster.query(`SELECT id FROM ${table} WHERE partner_id = '${partnerId}'`, name))
      .map(({ id }) => id as string)
      .sort()

  const leftAtHome = async ({ partnerId }: TestPartner) => {
    const client = await home.server.database.pool.connect()
    try {
      const counts = Object.entries(await countRows(client, partnerId))
      const isLeft = ([name, n]: [string, number]) => n > 0 && !writtenLate.includes(name)
      return counts
        .filter(isLeft)
        .map(([name]) => name)
        .sort()
    } finally {
      client.release()
    }
  }

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
    const created = await ended(databases.home, `cell create --to ${databases.c2.databaseUrl}`)
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
    await refused(`cell create --to ${databases.c2.databaseUrl}`, /in use or has data/)
    await refused(moveTo(slug, 'home'), /is in the other cell already/)
    await refused(`partner forget ${slug}`, /has not moved away/)
    const other = await home.createPartner()
    await cluster.query(
      `INSERT INTO member (id, partner_id, email, password_hash, role, is_operator) VALUES
        (gen_random_uuid(), '${other.partnerId}', 'op@example.com', '', 'OWNER', true)`,
      'home',
    )
    await refused(moveTo(await slugOf(home, other), 'c2'), /1 operators of the service/)
    // Nothing of this has changed anything.
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

    const load = startCellLoad(router.base, keys)
    const others = startCellLoad(router.base, neighbour.test)
    ends.push(load.stop, others.stop)
    await load.more(100)
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Copying rows')
    process.kill(-killed.pid, 'SIGKILL')
    await killed.exited
    expect(await idsIn('c2', 'end_user', partner.partnerId)).toEqual([])
    const moved = await ended(databases.home, moveTo(slug, 'c2'))
    expect(moved.code, moved.output).toBe(0)
    expect(moved.output).toMatch(/Moved [\d,]+ rows of .* audit found nothing broken/)
    await load.more(100)
    for (const one of [load, others]) await one.stop()

    expect(load.faults).toEqual([])
    expect([...load.refusals.keys()]).toEqual(['PARTNER_MOVING'])
    // The neighbour has noticed nothing.
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
    expect(awarded.length).toBe(load.awards.length + before.length)
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

    // Webhooks go on with the same signatures, and proofs are the same.
    // The first award was before there was an endpoint.
    const announced = awarded.filter((id) => id !== before[0])
    await receiver.until(announced.length, 60_000)
    const delivered = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']))
    expect(announced.filter((id) => !delivered.has(id))).toEqual([])
    for (const { headers, text } of receiver.received)
      expect(headers['x-webhook-signature']).toBe(signatureOf(signing, text))
    expect(await proofOf()).toEqual(proof)
    await client.post('/v1/users/user-0/play-seeds/rotate', key, {})
    expect(verifyPlay(await proofOf()).every(({ ok }) => ok)).toBe(true)
    await receiver.end()

    // New keys name the cell, and what is left at home can be deleted.
    const there = await ended(databases.c2, moveTo(slug, 'c2'))
    expect(there.output).toMatch(/is in the other cell already/)
    const forgotten = await ended(databases.home, `partner forget ${slug}`)
    expect(forgotten.code, forgotten.output).toBe(0)
    expect(await leftAtHome(partner)).toEqual(['api_key', 'application', 'partner'])
    expect(await brokenIn(home)).toEqual([])
    expect((await client.get('/v1/users/user-0/balance', secret)).status).toBe(200)
    const fences = await cluster.query(
      `SELECT FROM pg_trigger WHERE tgname LIKE 'moved\\_%'`,
      'home',
    )
    expect(fences).toEqual([])
  })

  test('stays when a move is cancelled, and moves there and back', async () => {
    const guest = await home.createPartner()
    const { secret } = guest.test
    const slug = await slugOf(home, guest)
    const client = clientOf(router.base)
    await award(client, secret, 9)
    const killed = run(databases.home, moveTo(slug, 'c2'))
    await killed.until('Copying rows')
    process.kill(-killed.pid, 'SIGKILL')
    await killed.exited
    const input = { userId: 'user-0', eventType: 'purchase' }
    const refused = await client.post('/v1/points/award', secret, input)
    expect([refused.status, refused.body.errorCode]).toEqual([503, 'PARTNER_MOVING'])
    // No program may write either.
    const behind = `UPDATE end_user SET balance = balance WHERE partner_id = '${guest.partnerId}'`
    await expect(cluster.query(behind, 'home')).rejects.toThrow('the partner is moving')
    expect((await client.get('/v1/users/user-0/balance', secret)).status).toBe(200)
    const cancelled = await ended(databases.home, `${moveTo(slug, 'c2')} --cancel`)
    expect(cancelled.code, cancelled.output).toBe(0)
    expect((await client.post('/v1/points/award', secret, input)).status).toBe(200)

    const events = await readOn(client, secret)
    // Changes of stages are events, too, and come when a job finds them.
    expect(events.length).toBeGreaterThanOrEqual(10)
    expect((await ended(databases.home, moveTo(slug, 'c2'))).code).toBe(0)
    expect((await client.post('/v1/points/award', secret, input)).status).toBe(200)
    const early = await ended(databases.c2, moveTo(slug, 'home'))
    expect(early.output).toMatch(/still has rows/)
    const forgotten = await ended(databases.home, `partner forget ${slug}`)
    expect(forgotten.code, forgotten.output).toBe(0)
    expect(await leftAtHome(guest), forgotten.output).toEqual(['api_key', 'application', 'partner'])
    const back = await ended(databases.c2, moveTo(slug, 'home'))
    expect(back.code, back.output).toBe(0)
    expect((await client.post('/v1/points/award', secret, input)).status).toBe(200)
    expect((await readOn(client, secret)).slice(0, events.length)).toEqual(events)
    expect(await idsIn('home', 'ledger_entry', guest.partnerId)).toHaveLength(12)
    expect(await brokenIn(home)).toEqual([])
    expect(await brokenIn(c2)).toEqual([])
  })
})
