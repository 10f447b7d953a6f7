/** The state of a partner at each step of a move to another cell, and which rows are theirs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PartnerMove } from '../../src/generated/prisma/enums.ts'
import { audit, invariants } from '../../tools/invariants.ts'
import { showOnly } from '../../tools/partner-checks.ts'
import { copiedTogether } from '../../tools/partner-copy.ts'
import { dropFence, raiseFence } from '../../tools/partner-fence.ts'
import { readPartnerTables, signposts, staying } from '../../tools/partner-tables.ts'
import { createMember, password } from '../console/browser.ts'
import { createWorld, type TestPartner, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const setMove = (
  { partnerId: id }: TestPartner,
  move: PartnerMove | null,
  cell: string | null = 'c2',
) => world.runtime.db.partner.update({ where: { id }, data: { move, cell: move && cell } })
const awardBy = ({ test: { secret } }: TestPartner) =>
  world.post('/v1/points/award', secret, { userId: 'ann', eventType: 'signup' })
const balanceBy = ({ test: { secret } }: TestPartner) => world.get('/v1/users/ann/balance', secret)
/** Runs on a separate connection. The embedded database has only one. */
const onConnection = async <T>(run: (client: never) => Promise<T>): Promise<T> => {
  const client = await world.server.database.pool.connect()
  try {
    return await run(client as never)
  } finally {
    client.release()
  }
}

describe('a partner who moves', () => {
  test('is served while nodes are told, and keys are no longer cached', async () => {
    const partner = await world.createPartner()
    await setMove(partner, 'LEAVING')
    expect((await awardBy(partner)).status).toBe(200)
    await setMove(partner, 'HELD')
    expect((await awardBy(partner)).body.errorCode).toBe('PARTNER_MOVING')
  })

  test('reads and does not write while rows are copied, by REST and by GraphQL', async () => {
    const partner = await world.createPartner()
    await awardBy(partner)
    // As if the nodes had been notified.
    await setMove(partner, 'HELD')
    world.runtime.singletons.delete('api keys')
    const refused = await awardBy(partner)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await balanceBy(partner)).status).toBe(200)
    const mutation = `mutation { awardPoints(input: {user: {externalId: "ann"}, eventType: "signup"}) { __typename } }`
    const { body } = await world.graphql(mutation, {}, partner.test)
    expect(body.errors[0].extensions.code).toBe('PARTNER_MOVING')
    await setMove(partner, null)
    expect((await awardBy(partner)).status).toBe(200)
  })

  test('may send the same Idempotency-Key again after a refusal', async () => {
    const partner = await world.createPartner()
    await setMove(partner, 'HELD')
    const award = () =>
      world.post(
        '/v1/points/award',
        partner.test.secret,
        { userId: 'ann', eventType: 'signup' },
        { 'idempotency-key': 'once' },
      )
    expect((await award()).status).toBe(503)
    await setMove(partner, null)
    const first = await award()
    expect(first.status).toBe(200)
    expect((await award()).body).toEqual(first.body)
  })

  test('is served by nobody until the other cell opens, and then by the other cell', async () => {
    const partner = await world.createPartner()
    const { email } = await createMember(world, 'OWNER', partner.partnerId)
    const logIn = () => world.post('/dashboard/auth/login', undefined, { email, password })
    const { refreshToken, accessToken: bearer } = (await logIn()).body.data
    const calls = [
      () => awardBy(partner),
      () => balanceBy(partner),
      logIn,
      () => world.post('/dashboard/auth/refresh', undefined, { refreshToken }),
      () => world.graphql('{ viewer { member { email } } }', {}, { bearer }),
    ]
    const expectElsewhere = async () => {
      for (const call of calls) {
        const { status, headers } = await call()
        expect([status, headers.get('x-tessera-cell')]).toEqual([421, 'c2'])
      }
    }
    await setMove(partner, 'ARRIVING')
    world.runtime.singletons.delete('sign-ins')
    await expectElsewhere()
    // The copy is complete, and the old cell serves them no longer.
    await setMove(partner, 'ARRIVING', null)
    for (const call of calls) expect((await call()).status).toBe(503)
    await setMove(partner, 'MOVED')
    await expectElsewhere()
  })
})

describe('the fence', () => {
  test('refuses writes of any program, to rows of this partner only', async () => {
    const partner = await world.createPartner()
    const neighbour = await world.createPartner()
    for (const one of [partner, neighbour]) await awardBy(one)
    await onConnection((client) => raiseFence(client, partner.partnerId, 'always'))
    // The node does not know of the move, so the database refuses their writes, and only theirs in a shared batch.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => awardBy(i % 2 ? partner : neighbour)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(new Set(answers.map(({ body }) => body.errorCode))).toEqual(
      new Set([undefined, 'PARTNER_MOVING']),
    )
    await setMove(partner, 'MOVED')
    const query = (text: string) => world.server.database.pool.query({ text })
    const ofPartner = `partner_id = '${partner.partnerId}'`
    for (const text of [
      `UPDATE end_user SET balance = balance WHERE ${ofPartner}`,
      `DELETE FROM reward_rule WHERE ${ofPartner}`,
      `UPDATE api_key SET revoked_at = now() WHERE ${ofPartner}`,
    ])
      await expect(query(text)).rejects.toThrow('c2')
    await query(`UPDATE api_key SET last_used_at = now() WHERE ${ofPartner}`)
    await onConnection((client) => dropFence(client, partner.partnerId))
    await setMove(partner, null)
    expect((await awardBy(partner)).status).toBe(200)
    const left = await query("SELECT FROM pg_trigger WHERE tgname LIKE 'moved\\_%'")
    expect(left.rows).toEqual([])
  })
})

describe('rows of a partner', () => {
  test('follow from the catalog, for every table', async () => {
    const tables = await onConnection(readPartnerTables)
    const names = tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...signposts, 'end_user', 'event', 'sign_in']))
    expect(names.filter((name) => name in staying)).toEqual([])
  })

  test('are copied with those through which they are theirs, as of the same moment', async () => {
    const groups = copiedTogether(await onConnection(readPartnerTables)).map((tables) =>
      tables.map(({ name }) => name),
    )
    expect(groups[0]).toEqual(expect.arrayContaining(signposts))
    expect(groups).toContainEqual(['webhook_delivery', 'webhook_attempt'])
    expect(groups).toContainEqual(['member', 'password_reset', 'sign_in'])
    expect(new Set(groups.flat()).size).toBe(groups.flat().length)
  })

  test('of a table without a rule stop a move', async () => {
    await onConnection(async (client: never) => {
      const { query } = client as { query(text: string): Promise<unknown> }
      const run = query.bind(client)
      await run('BEGIN; CREATE TABLE novelty (id int)')
      await expect(readPartnerTables(client)).rejects.toThrow('which rows of novelty belong')
      await run('ALTER TABLE novelty ADD COLUMN partner_id uuid')
      const tables = await readPartnerTables(client)
      expect(tables.find(({ name }) => name === 'novelty')?.owned).toBe('t.partner_id = $1')
      await run('ROLLBACK')
    })
  })

  test('can be audited alone', async () => {
    const { partnerId } = world.partner
    await awardBy(world.partner)
    await onConnection(async (client: never) => {
      const { query } = client as { query(text: string): Promise<unknown> }
      const run = query.bind(client)
      const checked: string[] = []
      await run('BEGIN')
      // The ledger of another partner is broken.
      await run(`INSERT INTO end_user (id, partner_id, environment, external_id, balance, score_reached_at)
        SELECT gen_random_uuid(), id, 'TEST', 'odd', 5, now() FROM partner WHERE id <> '${partnerId}' LIMIT 1`)
      await showOnly(client, partnerId)
      expect(await audit(client, (name) => void checked.push(name))).toBe(0)
      await run('ROLLBACK')
      expect(checked).toEqual(Object.keys(invariants))
    })
  })
})
