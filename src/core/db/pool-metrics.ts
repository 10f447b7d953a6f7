/** Metrics of the connections to the database and of the statements on them. */
import { exportGauge, type Metrics } from '../metrics.ts'
import type { Database } from './db.ts'
import { EmbeddedPool } from './embedded-db.ts'
import type { ServerPool } from './server-pool.ts'
import { listStatements } from './statement.ts'

/** First words of statements without a name, which the library for queries writes. */
const words = ['BEGIN', 'COMMIT', 'ROLLBACK', 'SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** The name that a statement is declared by, or its first word. There are as many as are declared. */
const labelOf = (text: string): string => {
  const [, name = '', word = ''] = /^(?:(?:\/\*|--) (\w+)|(\w+))/.exec(text) ?? []
  if (listStatements().has(name)) return name
  return words.includes(word) ? word : 'other'
}

type Pool = ServerPool | EmbeddedPool

/** Measures the statements of all pools, and exports how their connections are used. */
export const measurePools = (
  { pool, direct }: Pick<Database, 'pool' | 'direct'>,
  { registry, statementSeconds }: Metrics,
): void => {
  const pools = Object.entries(direct === pool ? { main: pool } : { main: pool, direct }) as [
    string,
    Pool,
  ][]
  for (const [, one] of pools)
    one.onStatement = (text, ms) =>
      statementSeconds.observe({ statement: labelOf(text) }, ms / 1_000)
  const usageOf = (one: Pool) => (one instanceof EmbeddedPool ? one.usage : one)
  exportGauge(
    registry,
    {
      name: 'tessera_database_connections',
      help: 'Open connections to the database, in use or idle',
      labelNames: ['pool', 'state'],
    },
    () =>
      pools.flatMap(([pool, one]) => {
        const { totalCount, idleCount } = usageOf(one)
        return [
          [{ pool, state: 'used' }, totalCount - idleCount],
          [{ pool, state: 'idle' }, idleCount],
        ]
      }),
  )
  exportGauge(
    registry,
    {
      name: 'tessera_database_connections_max',
      help: 'The most connections of this node: DATABASE_POOL for the main pool',
      labelNames: ['pool'],
    },
    () => pools.map(([pool, { options }]) => [{ pool }, options.max]),
  )
  exportGauge(
    registry,
    {
      name: 'tessera_database_waiting',
      help: 'Calls that wait for a connection to the database',
      labelNames: ['pool'],
    },
    () => pools.map(([pool, one]) => [{ pool }, usageOf(one).waitingCount]),
  )
}
