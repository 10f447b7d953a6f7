import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { creditAccounts } from '../../src/points/wallet.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('anna', 3)
  const credit = { ...world.tenant, holder: 'test:1', account: 'test:2', eventType: 'test' }
  await creditAccounts(world.runtime, [
    { ...credit, points: 5, sourceId: '1' },
    { ...credit, points: 7, sourceId: '2' },
  ])
})
afterAll(() => world.end())

const query = (text: string) => world.server.database.pool.query({ text })

it.each([
  'UPDATE ledger_entry SET points = points + 1',
  "UPDATE ledger_entry SET metadata = '{}'",
  'DELETE FROM ledger_entry',
  'TRUNCATE ledger_entry CASCADE',
  'TRUNCATE end_user CASCADE',
  `INSERT INTO ledger_entry SELECT * FROM ledger_entry
    ON CONFLICT (id) DO UPDATE SET points = 0`,
  'UPDATE account_entry SET points = points + 1',
  'DELETE FROM account_entry',
  'TRUNCATE account_entry',
  'TRUNCATE point_account CASCADE',
])('the ledger refuses: %s', async (statement) => {
  await expect(query(statement)).rejects.toMatchObject({ code: '23001' })
  const { rows } = await query(
    `SELECT count(*)::int AS n, sum(points)::int AS sum FROM ledger_entry
     UNION ALL SELECT count(*)::int, sum(points)::int FROM account_entry`,
  )
  expect(rows).toEqual([
    { n: 3, sum: 300 },
    { n: 2, sum: 12 },
  ])
  expect(await audit(world.server.database.pool)).toBe(0)
})

it.each([
  ['UPDATE end_user SET balance = -1', '23514'],
  ['UPDATE end_user SET score = score + 1', '428C9'],
  ['DELETE FROM end_user', '23001'],
])('the database refuses: %s', async (statement, code) => {
  await expect(query(statement)).rejects.toMatchObject({ code })
})

it('the audit finds what no trigger prevents', async () => {
  await query('UPDATE end_user SET balance = balance + 1')
  expect(await audit(world.server.database.pool)).toBe(1)
  await query('UPDATE end_user SET balance = balance - 1')
  expect(await audit(world.server.database.pool)).toBe(0)
})
