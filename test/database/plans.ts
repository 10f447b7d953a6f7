/** Plans as the database makes them for statements that it prepares once for all callers. */
import type pg from 'pg'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Node[]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Tables that a statement scans fully, by its generic plan. */
export const scannedTables = async (client: pg.Client, statement: string): Promise<string[]> => {
  await client.query(`PREPARE looked_at AS ${statement}`)
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT coalesce(array_length(parameter_types, 1), 0) AS count FROM pg_prepared_statements
       WHERE name = 'looked_at'`,
    )
    const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'NULL').join(', ')
    const { rows: plans } = await client.query(
      `EXPLAIN (FORMAT JSON, COSTS off) EXECUTE looked_at${values && `(${values})`}`,
    )
    const roots = (plans[0]['QUERY PLAN'] as { Plan?: Node }[]).flatMap(({ Plan }) => Plan ?? [])
    const scans = roots.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Seq Scan')
    return [...new Set(scans.flatMap((node) => node['Relation Name'] ?? []))].sort()
  } finally {
    await client.query('DEALLOCATE looked_at')
  }
}
