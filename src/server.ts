/** Starts a server from a configuration: database, migrations, demo data, HTTP. */
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ensureAdmin } from './accounts/member.ts'
import { createApp } from './app.ts'
import { startMatches } from './arena/matches/match-runner.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { type Breaker, startBreaker } from './core/db/breaker.ts'
import { repairDataDir } from './core/db/data-dir.ts'
import { type Database, openDatabase } from './core/db/db.ts'
import { EmbeddedPool } from './core/db/embedded-db.ts'
import { measureFeed } from './core/db/horizon.ts'
import { migrate, untilMigrated } from './core/db/migrate.ts'
import { openPubSub, type PubSub } from './core/db/pubsub.ts'
import { startUpkeep } from './core/db/upkeep.ts'
import { createDegraded } from './core/degraded.ts'
import { watchJobs } from './core/job-watch.ts'
import { startJobs } from './core/jobs.ts'
import type { Logger } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { openPepper } from './core/pepper.ts'
import { cryptoRandom, type Random } from './core/random.ts'
import { createRuntime, type Runtime } from './core/runtime.ts'
import { type Demo, readDemo, seedDemo, writeDemo } from './demo/demo.ts'
import { type MetricsServer, startMetrics } from './health.ts'
import { jobs } from './jobs.ts'
import { openWaitingRoom } from './waiting-room.ts'
import { startDeliveries } from './webhooks/sender.ts'

export type Server = {
  app: FastifyInstance
  runtime: Runtime
  database: Database
  /** The demo partner in development, created by this start or an earlier one. */
  demo: Demo | null
  port: number
  /** The address of `/metrics`, if not on `port`. */
  metricsPort: number | undefined
  /** Answers the requests that have arrived, accepts no new ones, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the server. Resolves when requests are answered. Until then, the port reports that the server is alive and
 * not ready.
 * @throws the reason of the signal, if it is aborted before
 */
export const startServer = async (
  config: Config,
  parts: { log: Logger; clock?: Clock; random?: Random; signal?: AbortSignal },
): Promise<Server> => {
  const { log, clock = systemClock, random = cryptoRandom, signal } = parts
  const room = await openWaitingRoom(config)
  let database: Database | undefined
  let pubsub: PubSub | undefined
  let metrics: MetricsServer | null = null
  let breaker: Breaker | undefined
  try {
    repairDataDir(config.dataDir, log)
    const opened = await openDatabase(config)
    database = opened
    room.say('migrating')
    const bringUpToDate = config.migrate ? migrate : untilMigrated
    await bringUpToDate(opened.direct, { log, ...(signal && { signal }) })
    signal?.throwIfAborted()
    const pepper = await openPepper(opened.db, clock, config.masterKeys)
    const degraded = createDegraded(log)
    pubsub = await openPubSub(opened, { redisUrl: config.redisUrl, log, degraded })
    const runtime = createRuntime({
      database: opened,
      config,
      pepper,
      log,
      metrics: createMetrics(),
      degraded,
      pubsub,
      clock,
      random,
    })
    measureFeed(runtime)
    if (!opened.keepsLimits)
      log.warn('a pooler takes no time limits: set them by ALTER ROLE … SET statement_timeout')
    const watch = startBreaker(opened, runtime, config.databaseLimits)
    breaker = watch
    const made = config.production ? null : await seedDemo(opened.db, { clock, random, config })
    if (made) writeDemo(config.dataDir, made)
    const demo = config.production ? null : (made ?? readDemo(config.dataDir))
    if (await ensureAdmin(runtime, config)) log.info('made the administrator of ADMIN_EMAIL')
    metrics = await startMetrics(runtime)
    let draining = false
    const state = { isWritable: watch.isWritable, isDraining: () => draining }
    const app = await createApp(runtime, opened, state, demo?.keys.publicTest)
    await room.close()
    await app.listen({ port: config.port, host: config.host })
    // Jobs need not run before requests are answered.
    const stopJobs = config.jobs ? startJobs(runtime, opened, jobs) : async () => {}
    const stopWatch = watchJobs(runtime, jobs)
    const stopDeliveries = config.jobs ? startDeliveries(runtime) : async () => {}
    const stopMatches = config.jobs ? startMatches(runtime) : async () => {}
    const stopUpkeep =
      opened.pool instanceof EmbeddedPool ? startUpkeep(opened.pool, log) : async () => {}
    const stop = async () => {
      draining = true
      const stopped = Promise.all([stopJobs(), stopWatch(), stopDeliveries(), stopMatches()])
      // Load balancers see /readyz, and each answer tells clients, before connections end.
      await setTimeout(config.drainDelayMs)
      await app.close()
      await stopped
      await metrics?.stop()
      await runtime.pubsub.close()
      await stopUpkeep()
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
