/** A database with many rows in each table that grows, for checks of query plans. */
import type pg from 'pg'

/**
 * Tables whose size depends on configuration, not on what users do: reading them whole is fine.
 * All other tables grow.
 */
const setUp = new Set([
  '_prisma_migrations',
  'api_key',
  'applied_trigger',
  'application',
  'arena_acceptance',
  'arena_agent',
  'arena_build',
  'arena_flow',
  'arena_game',
  'brand',
  'campaign',
  'campaign_event_rule',
  'classification_settings',
  'code_batch',
  'counter',
  'game_mechanic',
  'game_mechanic_version',
  'goal',
  'goal_streak',
  'goal_task',
  'lottery',
  'lottery_draw',
  'measure_key',
  'member',
  'offer_rule',
  'partner',
  'partner_time_zone',
  'prize_tier',
  'reward',
  'reward_rule',
  'segment',
  'settings_version',
  'webhook_endpoint',
])

type Column = {
  table: string
  name: string
  type: string
  kind: string
  element: string | null
  /** Whether the column is the partition key. */
  isDivided: boolean
}

const readColumns = async (client: pg.Client): Promise<Map<string, Column[]>> => {
  const { rows } = await client.query<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(t.oid, a.atttypmod) AS type,
      t.typtype AS kind, (SELECT enumlabel FROM pg_enum e WHERE e.enumtypid = t.oid
        ORDER BY enumsortorder LIMIT 1) AS element,
      coalesce(pg_get_partkeydef(c.oid) = format('RANGE (%I)', a.attname), false) AS "isDivided"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum`)
  return Map.groupBy(
    rows.filter(({ table }) => !setUp.has(table)),
    ({ table }) => table,
  )
}

/** Names of columns whose times are in the future in a database that keeps up with its work. */
const ahead = /due|expires|scheduled|next|until|lease/

/** Ids for all partitions: of the current month, the next two, and a month without a partition. */
const idOfSomeMonth = `(lpad(to_hex((extract(epoch FROM now() + n % 4 * interval '1 month') * 1000)::bigint), 12, '0')
  || left(md5(n::text), 20))::uuid`

/** The value of a column in row `n`: few partners, many of everything else. */
const sqlValueOf = ({ name, type, kind, element, isDivided }: Column): string => {
  if (isDivided) return idOfSomeMonth
  if (name === 'partner_id') return `md5('p' || n % 300)::uuid`
  if (kind === 'e') return `'${element}'`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (/\[\]$/.test(type)) return `'{}'`
  if (/^(timestamp|date)/.test(type))
    return `now() ${ahead.test(name) ? '+' : '-'} n * interval '1 second'`
  if (/json/.test(type)) return `'{}'`
  if (type === 'bytea') return `decode(md5(n::text), 'hex')`
  if (/^bit/.test(type)) return `B'0'`
  if (type === 'boolean') return 'true'
  if (/int|numeric|double|real/.test(type)) return 'n'
  return `'${name} ' || n`
}

/** Removes constraints and triggers that would refuse made-up rows. Only the plans matter. */
const dropGuards = async (client: pg.Client) => {
  await client.query(`DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT conname, conrelid::regclass AS t FROM pg_constraint
      WHERE contype IN ('c', 'f') AND conparentid = 0 AND connamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname); END LOOP; END $$`)
  await client.query(`SET session_replication_role = replica`)
}

export type Grown = {
  /** The tables that grow, and their partitions. */
  tables: string[]
  /** Adds `rows` rows to each of them. */
  grow(rows: number): Promise<void>
}

/** Prepares a migrated database that nobody else uses. Statistics are made by `ANALYZE` alone. */
export const growTables = async (client: pg.Client): Promise<Grown> => {
  const columns = await readColumns(client)
  await dropGuards(client)
  // A low fill factor makes full scans ten times as expensive.
  const { rows: plain } = await client.query<{ name: string; table: string }>(`
    SELECT c.relname AS name, coalesce(p.relname, c.relname) AS table FROM pg_class c
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`)
  const tables = plain.filter(({ table }) => columns.has(table)).map(({ name }) => name)
  for (const table of tables)
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false, fillfactor = 10)`)
  let from = 1
  const grow = async (rows: number) => {
    for (const [table, list] of columns) {
      const names = list.map(({ name }) => `"${name}"`).join(', ')
      await client.query(
        `INSERT INTO ${table} (${names}) SELECT ${list.map(sqlValueOf).join(', ')}
         FROM generate_series(${from}, ${from + rows - 1}) n ON CONFLICT DO NOTHING`,
      )
    }
    from += rows
  }
  return { tables, grow }
}
