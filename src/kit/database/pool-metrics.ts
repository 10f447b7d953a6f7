/** Metrics of the connections to the database and of the statements on them. */
import type { Config } from '../config/config.ts'
import { EmbeddedPool } from '../embedded/embedded-pool.ts'
import type { Logger } from '../observability/log.ts'
import { exportGauge, type Metrics } from '../observability/metrics.ts'
import type { Tracing } from '../observability/tracing.ts'
import type { Database } from './db.ts'
import { jobsSchema } from './jobs-schema.ts'
import type { ServerPool } from './server-pool.ts'
import { listStatements } from './statement.ts'

/** First words of statements without a name, as Prisma writes them. */
const words = ['BEGIN', 'COMMIT', 'ROLLBACK', 'SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** The declared name of a statement, `job_queue` for those of the job queue, or the first word. Low cardinality. */
const labelOf = (text: string): string => {
  const [, name = '', word = ''] = /^(?:(?:\/\*|--) (\w+)|(\w+))/.exec(text) ?? []
  if (listStatements().has(name)) return name
  if (text.includes(`${jobsSchema}.`)) return 'job_queue'
  return words.includes(word) ? word : 'other'
}

type Pool = ServerPool | EmbeddedPool

/** The services that observe statements. */
type Watching = {
  log: Logger
  metrics: Metrics
  config: Pick<Config, 'slowStatementMs'>
  tracing: Tracing | undefined
}

const databaseAttributes = { 'db.system.name': 'postgresql' }

/** Returns the function to call after each statement, with its duration. Values of parameters are not logged. */
const watchStatements = ({ log, metrics, config, tracing }: Watching): Pool['onStatement'] => {
  const { statementSeconds } = metrics
  const slowMs = config.slowStatementMs || Number.POSITIVE_INFINITY
  return (text, ms, isFailed) => {
    const statement = labelOf(text)
    statementSeconds.observe({ statement }, ms / 1_000)
    tracing?.add({ name: statement, kind: 'CLIENT', attributes: databaseAttributes }, ms, isFailed)
    if (ms < slowMs) return
    const traceId = tracing?.current()?.spanContext().traceId
    log.warn({ statement, ms: Math.round(ms), traceId }, 'a statement was slow')
  }
}

/** Measures and traces the statements of all pools, logs slow ones, and exports how their connections are used. */
export const measurePools = (
  {
    pool,
    direct,
    batches,
    standby,
  }: Pick<Database, 'pool' | 'direct' | 'batches'> & { standby: ServerPool | undefined },
  watching: Watching,
): void => {
  const { registry } = watching.metrics
  const pools = Object.entries({
    main: pool,
    ...(batches && { batches: batches.pool }),
    ...(direct !== pool && { direct }),
    ...(standby && { standby }),
  }) as [string, Pool][]
  for (const [, item] of pools) item.onStatement = watchStatements(watching)
  const usageOf = (pool: Pool) => (pool instanceof EmbeddedPool ? pool.usage : pool)
  exportGauge(
    registry,
    {
      name: 'tessera_database_connections',
      help: 'Open connections to the database, in use or idle',
      labelNames: ['pool', 'state'],
    },
    () =>
      pools.flatMap(([pool, item]) => {
        const { totalCount, idleCount } = usageOf(item)
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
      help: 'The most connections of this node: DATABASE_POOL for the pools main and batches together',
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
    () => pools.map(([pool, item]) => [{ pool }, usageOf(item).waitingCount]),
  )
}
