/** Runs several workers that serve on one port, and replaces those that end. It answers no requests itself. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import type { Logger } from '../core/log.ts'
import { createMetricsSum } from './metrics-sum.ts'
import { createRounds } from './rounds.ts'
import { closeUntaken } from './untaken-connection.ts'
import { openCalls, type PrimaryCalls, type Serving, type WorkerCalls } from './worker-calls.ts'

/** A worker that ran longer than this is replaced at once. */
const steadyMs = 10_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** The number of early exits in a row, with no other worker serving, after which the node exits. */
const mostFailures = 5

/** The backoff before a worker is replaced. It stays short while no other worker serves. */
const pauseOf = (failures: number, isAlone: boolean): number => {
  if (failures === 0) return 0
  return isAlone ? firstPauseMs : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
}

type Member = {
  worker: Worker
  call: ReturnType<typeof openCalls<WorkerCalls>>
  isReady: boolean
}

type Started = Serving & { stop(): Promise<void> }

/** Exits with the exit code of the last worker, for the supervisor of the node. */
const giveUp = (log: Logger, { code, signal }: { code: number | null; signal: string | null }) => {
  if (signal) log.fatal({ signal }, 'a worker was killed, and none is left')
  process.exit(code || 1)
}

/** Prepares this process for workers: it counts their requests for the rate limits. */
const prepare = async ({ rateLimits }: Config) => {
  cluster.setupPrimary({
    exec: join(import.meta.dirname, '../main.js'),
    args: [],
    // JSON cannot carry NaN, the value of a metric that could not be read.
    serialization: 'advanced',
  })
  if (rateLimits) {
    const { RateLimiterClusterMaster } = await import('rate-limiter-flexible')
    new RateLimiterClusterMaster()
  }
}

/** Forks a worker, whose calls the primary process answers. */
const fork = (
  members: Map<number, Member>,
  sum: ReturnType<typeof createMetricsSum>,
  rounds: ReturnType<typeof createRounds>,
): Member => {
  const worker = cluster.fork()
  // Sending to a worker that was just killed is an error. Its exit is handled anyway.
  worker.on('error', () => {})
  closeUntaken(worker)
  const ready = () => [...members].filter(([, { isReady }]) => isReady)
  const call = openCalls<WorkerCalls>(worker, {
    metrics: () => sum.text(new Map(ready().map(([id, { call }]) => [id, () => call('metrics')]))),
    together: (topic, numbers) => rounds.give(worker.id, topic, numbers),
  } satisfies PrimaryCalls)
  const member = { worker, call, isReady: false }
  members.set(worker.id, member)
  return member
}

/**
 * Starts the workers: the first alone, because it migrates the database and makes the demo, and the others once it
 * serves. Resolves when the first serves. If the first fails, the process exits with its exit code.
 */
export const startWorkers = async (
  config: Config,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<Started> => {
  await prepare(config)
  const members = new Map<number, Member>()
  const readyIds = () => [...members].flatMap(([id, { isReady }]) => (isReady ? [id] : []))
  const sum = createMetricsSum()
  const rounds = createRounds(readyIds)
  const serving = Promise.withResolvers<Serving>()
  let failures = 0

  /** Keeps one worker running. */
  const keep = async (index: number) => {
    while (!signal.aborted) {
      const member = fork(members, sum, rounds)
      const { worker } = member
      const startedAt = performance.now()
      const exit = once(worker, 'exit')
      void member
        .call('start', { isFirst: readyIds().length === 0, keepsDemo: index === 0 })
        .then((started) => {
          member.isReady = true
          serving.resolve(started)
          log.info({ worker: worker.process.pid }, 'a worker serves')
        })
        // The exit is handled below.
        .catch(() => {})
      const [code, killedBy] = (await exit) as [number | null, string | null]
      members.delete(worker.id)
      rounds.leave()
      await sum.keepEnded(worker.id)
      if (signal.aborted) return
      failures = performance.now() - startedAt > steadyMs ? 0 : failures + 1
      const isAlone = readyIds().length === 0
      if (isAlone && (!member.isReady || failures >= mostFailures))
        giveUp(log, { code, signal: killedBy })
      const pauseMs = pauseOf(failures, isAlone)
      const what = { worker: worker.process.pid, exitCode: code, signal: killedBy, pauseMs }
      log.error(what, 'a worker has ended; another one is started')
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  const keeping = [keep(0)]
  signal.addEventListener('abort', () => {
    for (const { call } of members.values()) void call('stop').catch(() => {})
  })
  const stop = async () => void (await Promise.all(keeping))
  const started = await Promise.race([serving.promise, keeping[0]])
  if (!started) throw signal.reason
  for (let index = 1; index < config.workers; index++) keeping.push(keep(index))
  return { ...started, stop }
}
