import { expect } from 'vitest'
import { writeUses } from '../src/accounts/last-use.ts'
import { writeRequestCounts } from '../src/statistics/request-count.ts'
import type { World } from './world.ts'

/** All rows that are not the partner's in TEST, as one digest for each table. */
export const digestsOfOthers = async ({ runtime, server, partner }: World) => {
  // Otherwise earlier requests of others would be counted while the caller compares.
  await writeUses(runtime)
  await writeRequestCounts(runtime)
  const { pool } = server.database
  const { rows } = await pool.query({
    text: `SELECT a.table_name AS name FROM information_schema.columns a
      JOIN information_schema.columns b USING (table_schema, table_name)
      WHERE table_schema = 'public' AND a.column_name = 'partner_id' AND b.column_name = 'environment'`,
  })
  expect(rows.length).toBeGreaterThan(6)
  const digest = async (table: string) =>
    (
      await pool.query({
        text: `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM "${table}" t
          WHERE NOT (partner_id = $1::uuid AND environment = 'TEST')`,
        values: [partner.partnerId],
      })
    ).rows[0].digest
  return Promise.all(rows.map(async ({ name }) => [name, await digest(name)]))
}
