import type { World } from '../world.ts'

/** Everything in the database that contains one of the words, in any letter case, by table. */
export const traces = async ({ server }: World, words: string[]): Promise<string[]> => {
  const { pool } = server.database
  const { rows } = await pool.query({
    text: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  })
  const found: string[] = []
  for (const { name } of rows)
    for (const word of words) {
      const result = await pool.query({
        text: `SELECT count(*)::int AS n FROM "${name}" t WHERE t::text ILIKE '%' || $1 || '%'`,
        values: [word],
      })
      if (result.rows[0].n > 0) found.push(`${name}: ${word}`)
    }
  return found
}
