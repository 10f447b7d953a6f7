/** Starts a server from a configuration: database, migrations, demo data, HTTP. */
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { startUses } from './accounts/last-use.ts'
import { ensureAdmin } from './accounts/operator.ts'
import { jobs } from './all-jobs.ts'
import { createApp } from './app.ts'
import { startMatches } from './arena/matches/runner.ts'
import { type Demo, readDemo, seedDemo, writeDemo } from './demo/demo.ts'
import { seedPastOnce } from './demo/past.ts'
import { openPepper } from './kit/access/pepper.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import type { Config } from './kit/config/config.ts'
import { type Breaker, startBreaker } from './kit/database/breaker.ts'
import { type Database, openDatabase } from './kit/database/db.ts'
import { makeJobsSchema, untilJobsSchema } from './kit/database/jobs-schema.ts'
import { migrate, untilMigrated } from './kit/database/migrate.ts'
import { measureMonths } from './kit/database/months.ts'
import { measurePools } from './kit/database/pool-metrics.ts'
import { openPubSub, type PubSub } from './kit/database/pubsub.ts'
import { openStandby } from './kit/database/standby.ts'
import { hasPartners } from './kit/database/start-reads.ts'
import { repairDataDir } from './kit/embedded/data-dir.ts'
import { EmbeddedPool } from './kit/embedded/embedded-pool.ts'
import { serveBackups } from './kit/embedded/online-backup.ts'
import { startUpkeep } from './kit/embedded/upkeep.ts'
import { type MetricsServer, startMetrics } from './kit/http/health.ts'
import type { Job } from './kit/jobs/job.ts'
import { startJobs, watchJobs } from './kit/jobs/jobs.ts'
import { createDegraded, type Degraded, measureDegraded } from './kit/observability/degraded.ts'
import type { Logger } from './kit/observability/log.ts'
import { createMetrics } from './kit/observability/metrics.ts'
import type { Tracing } from './kit/observability/tracing.ts'
import { cryptoRandom, type Random } from './kit/random.ts'
import { createRuntime, type Runtime } from './kit/runtime.ts'
import { startFeedWatch } from './kit/streams/follow.ts'
import { measureFeed } from './kit/streams/horizon.sql.ts'
import { startDecider } from './programme/decider.ts'
import { startPayer } from './programme/payer.ts'
import { openStartupServer } from './startup-server.ts'
import { startRequestCounts } from './statistics/request-count.ts'
import { findLocked, needsOf } from './users/locked-users.ts'
import { measureBacklog } from './webhooks/delivery.ts'
import { startDeliveries } from './webhooks/sender.ts'

export type Server = {
  app: FastifyInstance
  runtime: Runtime
  database: Database
  /** The demo partner in development, created by this start or an earlier one. */
  demo: Demo | null
  port: number
  /** The port of `/metrics`, if it has its own. */
  metricsPort: number | undefined
  /** Answers the requests that have arrived, accepts no new ones, then closes the database. */
  stop(): Promise<void>
}

type StartParts = {
  log: Logger
  clock?: Clock
  random?: Random
  signal?: AbortSignal
}
type Sources = { log: Logger; clock: Clock; random: Random }

/** Loads tracing, if it is configured. */
const loadTracing = async (
  { traces }: Config,
  degraded: Degraded,
): Promise<Tracing | undefined> => {
  if (!traces) return undefined
  const { openTracing } = await import('./kit/observability/open-tracing.ts')
  return openTracing(traces, degraded)
}

/** What requests and jobs need, from a database that is up to date. */
const openRuntime = async (
  database: Database,
  config: Config,
  { log, clock, random }: Sources,
): Promise<Runtime> => {
  if (!database.keepsLimits)
    log.warn('a pooler takes no time limits: set them by ALTER ROLE … SET statement_timeout')
  const pepper = await openPepper(database.db, clock, config.masterKeys)
  const degraded = createDegraded(log)
  const metrics = createMetrics()
  const pubsub = await openPubSub(database, { redisUrl: config.redisUrl, log, degraded, metrics })
  const tracing = await loadTracing(config, degraded)
  const keys = { master: config.masterKeys, pepper, cell: config.cell }
  const standby = await openStandby(database, { config, log, metrics, degraded })
  const watched = { log, metrics, degraded, tracing }
  const parts = { database, config, keys, ...watched, pubsub, standby, clock, random }
  const runtime = createRuntime({ ...parts, locks: { needsOf, findLocked } })
  measurePools({ ...database, standby: standby?.pool }, runtime)
  measureDegraded(degraded, metrics)
  measureFeed(runtime)
  measureMonths(runtime)
  measureBacklog(runtime)
  return runtime
}

/** Makes the demo partner in development, unless an earlier start has. */
const openDemo = async (runtime: Runtime, { db }: Database): Promise<Demo | null> => {
  const { config } = runtime
  if (config.production) return null
  const made = (await hasPartners(db)) ? null : await seedDemo(runtime)
  if (made) writeDemo(config.dataDir, made)
  return made ?? readDemo(config.dataDir)
}

/** Jobs that would see the users of an unfinished past by the present time: as churned, their windows as closed, their streaks as broken. */
const afterPastOnly = ['classify-users', 'delete-closed-counters', 'settle-streaks']

/** Starts jobs. In development, the history of the demo is written at the same time. */
const startJobsBesidePast = (runtime: Runtime, database: Database): (() => Promise<void>) => {
  const { config, log } = runtime
  if (config.production || !config.demoPast) return startJobs(runtime, database, jobs)
  const ending = new AbortController()
  const past = seedPastOnce(runtime, database, ending.signal).catch((err) =>
    log.warn({ err }, 'making the past of the demo failed'),
  )
  const afterPast = (job: Job): Job => ({ ...job, run: (at) => past.then(() => job.run(at)) })
  const started = jobs.map((job) => (afterPastOnly.includes(job.name) ? afterPast(job) : job))
  const stop = startJobs(runtime, database, started)
  return async () => {
    ending.abort()
    await past
    await stop()
  }
}

/**
 * How long requests are answered before jobs begin. The first statement of a job loads the query compiler, which stops
 * everything else for a moment.
 */
const calmMs = 100

/** Starts the background work. Returns the function that stops it. */
const startBackground = (runtime: Runtime, database: Database): (() => Promise<unknown>) => {
  const stopWatch = watchJobs(runtime, jobs)
  const start = () => [
    startJobsBesidePast(runtime, database),
    startDeliveries(runtime),
    startMatches(runtime),
    startDecider(runtime),
    startPayer(runtime),
  ]
  const started = runtime.config.jobs ? setTimeout(calmMs).then(start) : []
  return async () => Promise.all([stopWatch(), ...(await started).map((stop) => stop())])
}

/** Starts what every node does until its last request is answered. Returns the function that stops it. */
const startMaintenance = (runtime: Runtime, { pool }: Database): (() => Promise<unknown>) => {
  const stops = [startUses(runtime), startRequestCounts(runtime)]
  if (!(pool instanceof EmbeddedPool)) stops.push(startFeedWatch(runtime))
  if (runtime.tracing) stops.push(runtime.tracing.close)
  if (runtime.standby) stops.push(runtime.standby.close)
  const { config, log } = runtime
  if (pool instanceof EmbeddedPool)
    stops.push(startUpkeep(pool, log), serveBackups(pool, config.dataDir, log))
  return () => Promise.all(stops.map((stop) => stop()))
}

/** Opens the database, and DATA_DIR only to its owner. */
const openOwn = async (
  config: Config,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Database> => {
  const database = await openDatabase({
    ...config,
    fromBuild: true,
    // Longer than the previous version can take to end.
    waitMs: config.drainDelayMs + 10_000,
    onWait: () => log.info('DATA_DIR is in use; waiting until it is free'),
    signal,
  })
  repairDataDir(config.dataDir, log)
  return database
}

/** Makes the tables, or waits for them with MIGRATE=off. */
const prepare = async (
  { direct, embedded }: Database,
  config: Config,
  options: { log: Logger; signal?: AbortSignal },
): Promise<void> => {
  await (config.migrate ? migrate : untilMigrated)(direct, options)
  // The embedded database permits everything.
  if (config.jobs && !embedded)
    await (config.migrate ? makeJobsSchema : untilJobsSchema)(direct, options)
}

/**
 * Starts the server. Resolves when requests are answered. Until then, the port reports that the server is alive and
 * not ready.
 * @throws the reason of the signal, if it is aborted before
 */
export const startServer = async (
  config: Config,
  { log, clock = systemClock, random = cryptoRandom, signal }: StartParts,
): Promise<Server> => {
  const room = await openStartupServer(config)
  let database: Database | undefined
  let pubsub: PubSub | undefined
  let metrics: MetricsServer | null = null
  let breaker: Breaker | undefined
  try {
    const opened = await openOwn(config, log, signal)
    database = opened
    room.say('migrating')
    await prepare(opened, config, { log, ...(signal && { signal }) })
    signal?.throwIfAborted()
    const runtime = await openRuntime(opened, config, { log, clock, random })
    pubsub = runtime.pubsub
    const watch = startBreaker(opened, runtime, config.databaseLimits)
    breaker = watch
    const demo = await openDemo(runtime, opened)
    if (await ensureAdmin(runtime, config)) log.info('made the operator of ADMIN_EMAIL')
    metrics = await startMetrics(runtime)
    let draining = false
    const state = { isWritable: watch.isWritable, isDraining: () => draining }
    const app = await createApp(runtime, opened, state, demo?.keys.publicTest)
    await room.close()
    await app.listen({ port: config.port, host: config.host })
    const stopBackground = startBackground(runtime, opened)
    const stopMaintenance = startMaintenance(runtime, opened)
    const stop = async () => {
      draining = true
      const stopped = stopBackground()
      // Load balancers see /readyz, and each answer tells clients, before connections end.
      await setTimeout(config.drainDelayMs)
      await app.close()
      await stopped
      await metrics?.stop()
      await runtime.pubsub.close()
      await stopMaintenance()
      await watch.close()
      await opened.close()
    }
    const { port } = app.server.address() as AddressInfo
    return { app, runtime, database: opened, demo, port, metricsPort: metrics?.port, stop }
  } catch (error) {
    // The pool ends when its last connection is released, so the listening connection ends first.
    await pubsub?.close()
    await breaker?.close()
    await metrics?.stop()
    await database?.close().catch(() => {})
    await room.close()
    throw error
  }
}
