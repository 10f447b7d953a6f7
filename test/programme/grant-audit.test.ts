/** `npm run audit` names each promise about rewards that is broken. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
let paid: string
let revoked: string
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
  call = programmeOf(world)
  const reward = await call.pointsReward(50, { name: 'bonus', stock: 10 })
  paid = (await call.give('ann', reward)).uuid
  revoked = (await call.give('ben', reward)).uuid
  await call.revoke({ grantId: revoked })
  await call.give('cid', reward, { needsClaim: true })
})
afterAll(() => world.end())

/** The promises that are broken after a statement, which is rolled back. */
const brokenAfter = async (...statements: string[]) => {
  const client = await world.server.database.pool.connect()
  try {
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement)
    const broken: string[] = []
    await audit(client, (name, count) => void (count > 0 && broken.push(name)))
    return broken
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

const unlocked = 'ALTER TABLE ledger_entry DISABLE TRIGGER USER'
const wasPaid = 'a grant that was issued was paid once, by one entry of its points'
const wasTakenBack =
  'a grant that was revoked after it was issued was taken back once, but for its shortfall'
const addsUp = 'the entries of rewards add up to what grants paid, cost and did not get back'
const statistics = 'statistics equal the facts'

test('nothing is broken', async () => {
  expect(await brokenAfter()).toEqual([])
})

test('a payment that was falsified is named', async () => {
  const falsified = `UPDATE ledger_entry SET points = 60 WHERE source_id = '${paid}'`
  expect(await brokenAfter(unlocked, falsified)).toEqual(
    expect.arrayContaining([
      wasPaid,
      addsUp,
      "a user's balance is the sum of their ledger entries",
    ]),
  )
})

test('a second payment of a grant is named', async () => {
  const again = `INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
      balance_after, account, source_id, created_at)
    SELECT '${randomUUID()}', partner_id, environment, user_id, entry_no + 1, event_type, points,
      balance_after + points, account, source_id, created_at
    FROM ledger_entry WHERE source_id = '${paid}'`
  expect(await brokenAfter(unlocked, again)).toEqual(expect.arrayContaining([wasPaid, addsUp]))
})

test('an issued grant without its payment, and a payment without its grant, are named', async () => {
  const elsewhere = `UPDATE ledger_entry SET source_id = '${randomUUID()}' WHERE source_id = '${paid}'`
  expect(await brokenAfter(unlocked, elsewhere)).toEqual([wasPaid])
})

test('a refund that does not fit its grant is named', async () => {
  const more = `UPDATE ledger_entry SET points = -40
    WHERE source_id = '${revoked}' AND event_type = 'reward_refund'`
  expect(await brokenAfter(unlocked, more)).toEqual(expect.arrayContaining([wasTakenBack, addsUp]))
  const shortfall = `UPDATE reward_grant SET shortfall = 1 WHERE id = '${revoked}'`
  expect(await brokenAfter(shortfall)).toEqual([statistics, wasTakenBack, addsUp])
})

test('a wrong count of a stock is named', async () => {
  expect(await brokenAfter('UPDATE reward SET grant_count = 9')).toEqual([
    'a reward counts its grants, except those that found no stock or were cancelled',
  ])
})

test('a grant without its event is named', async () => {
  const silent = `DELETE FROM event WHERE type = 'grant.issued' AND data ->> 'grantId' = '${paid}'`
  expect(await brokenAfter(silent)).toEqual([
    'a grant that was issued, fulfilled, revoked, cancelled or has expired is announced once',
  ])
})

test.each([
  ['a badge has no points', `UPDATE reward SET kind = 'BADGE'`],
  ['a stock is not exceeded', 'UPDATE reward SET stock = 1'],
  ['an issued grant was paid', `UPDATE reward_grant SET entry_id = NULL`],
  [
    'a shortfall is not more than the points',
    `UPDATE reward_grant SET shortfall = 51 WHERE shortfall = 0`,
  ],
  ['a grant has one status', `UPDATE reward_grant SET revoked_at = NULL WHERE status = 'REVOKED'`],
])('the database itself sees to it that %s', async (_, statement) => {
  await expect(brokenAfter(statement)).rejects.toMatchObject({ code: '23514' })
})
