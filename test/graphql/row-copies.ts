/** Many rows of a table, as copies of one. */
import type { World } from '../world.ts'

/** Rows that were made, and how to make more. */
export type Rows = { made: number; add(count: number): Promise<void> }

export type Columns = Record<string, string>

/** A statement about rows number `from` to `to`. */
type Step = (range: [from: number, to: number]) => string

/** Copies a row with other values in some columns, which are SQL of `n`. Generated columns follow. */
export const copy =
  (table: string, where: string, columns: Columns): Step =>
  ([from, to]) => {
    const changes = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`)
    return `DO $do$ BEGIN EXECUTE (SELECT replace($sql$
      INSERT INTO ${table} (COLUMNS) SELECT COLUMNS FROM (SELECT r.* FROM
        (SELECT t FROM ${table} t WHERE ${where} LIMIT 1) x, generate_series(${from}, ${to}) n,
        jsonb_populate_record(x.t, jsonb_build_object('n', n, ${changes.join(', ')})) r) made
      $sql$, 'COLUMNS', string_agg(quote_ident(attname), ', '))
      FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped
        AND attgenerated = ''); END $do$`
  }

/** An id of row `n` of a kind, for rows that name each other. */
export const idOf = (kind: number): string =>
  `('0000000${kind.toString(16)}-0000-4000-8000-' || lpad(n::text, 12, '0'))`

export const id = { id: 'gen_random_uuid()' }
export const random = `'c' || md5(random()::text)`
export const anyTime = `now() - (n * 7919 % 1000) * interval '1 second'`

/** Rows of tables that belong together. */
export const rowMaker =
  (world: World) =>
  (...steps: Step[]): Rows => {
    const rows: Rows = {
      made: 0,
      add: async (count) => {
        const range: [number, number] = [rows.made + 1, rows.made + count]
        rows.made += count
        for (const step of steps) await world.server.database.pool.query({ text: step(range) })
      },
    }
    return rows
  }
