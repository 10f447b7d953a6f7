import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.graphql(
    'mutation { setRewardRule(input: { eventType: "x", points: 1 }) { __typename } }',
  )
})
afterAll(() => world.end())

const query = async (text: string) =>
  (await world.server.database.pool.query({ text })).rows as Record<string, string>[]

/** The tables whose changes are noted, with the columns whose values are hidden. */
const auditedTables = async () => {
  const rows =
    await query(`SELECT tgrelid::regclass::text AS table, encode(tgargs, 'escape') AS hidden
    FROM pg_trigger WHERE tgname LIKE '%\\_audited' AND NOT tgisinternal`)
  return new Map(rows.map(({ table, hidden }) => [table, String(hidden).split('\\000')]))
}

/** Columns that sound secret but are not. */
const open = new Set([
  'application.user_token_jwks_url',
  // Public keys.
  'application.user_token_keys',
  'application.user_tokens',
  'campaign.win_code_days',
  // Whether users see it before it is completed.
  'goal.is_secret',
  'webhook_endpoint.previous_secret_until',
])

test('every column of an audited table that sounds secret is hidden', async () => {
  const tables = await auditedTables()
  expect(tables.size).toBeGreaterThan(15)
  const columns = await query(`SELECT table_name AS table, column_name AS column
    FROM information_schema.columns WHERE table_schema = 'public'`)
  const secret = /hash|secret|password|seed|code|token|digest|sealed|salt|key$/
  const shown = columns
    .filter(
      ({ table, column }) => !tables.get(table)?.includes(String(column)) && tables.has(table),
    )
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => secret.test(name.slice(name.indexOf('.'))) && !open.has(name))
  expect(shown).toEqual([])
  const all = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const unknown = [...tables].flatMap(([table, hidden]) =>
    hidden.filter((column) => column !== '' && !all.has(`${table}.${column}`)),
  )
  expect(unknown).toEqual([])
})

test('tables that users change all day are not audited', async () => {
  const tables = await auditedTables()
  const busy = ['end_user', 'ledger_entry', 'play', 'event', 'user_activity', 'user_profile']
  expect(busy.filter((table) => tables.has(table))).toEqual([])
})

test.each([
  `UPDATE audit_entry SET action = 'nothing'`,
  'DELETE FROM audit_entry',
  'TRUNCATE audit_entry',
  'INSERT INTO audit_entry SELECT * FROM audit_entry ON CONFLICT (id) DO UPDATE SET refusal = null',
])('the audit log refuses: %s', async (statement) => {
  await expect(query(statement)).rejects.toMatchObject({ code: '23001' })
  expect(await query('SELECT action FROM audit_entry')).toEqual([{ action: 'setRewardRule' }])
})
