/** Starts and stops the process. */

import type { Demo } from './demo/demo.ts'
import { type Config, ConfigError, readConfig } from './kit/config/config.ts'
import { explain } from './kit/database/startup-problem.ts'
import { preventExitHang } from './kit/exit.ts'
import { createLog } from './kit/observability/log.ts'
import { version } from './kit/version.ts'
import { startServer } from './server.ts'

/** The message in the terminal when the server has started. */
const welcome = ({
  config,
  port,
  embedded,
  demo,
}: {
  config: Config
  port: number
  embedded: boolean
  demo: Demo | null
}): string => {
  const base = `http://localhost:${port}`
  const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text)
  const line = (label: string, value: string) => `  ${label.padEnd(12)} ${value}`
  const lines = [
    '',
    `${bold('Tessera')} is ready, on ${embedded ? `the embedded database in ${config.dataDir}` : 'PostgreSQL'}.`,
    '',
    line('Start here', base),
    line('Console', `${base}/console`),
    line('GraphQL', `${base}/docs/graphql`),
    line('REST', `${base}/docs`),
    line('GraphiQL', `${base}/graphql`),
    line('Live matches', `${base}/arena`),
  ]
  if (demo) {
    const { admin, keys } = demo
    const { publicTest, secretTest } = keys
    lines.push(
      line('A game', `${base}/arena/games/four-in-a-row`),
      line('A campaign', `${base}/campaign/demo/summer-sale?env=test`),
      '',
      bold('Sign in to the console'),
      line('E-mail', admin.email),
      line('Password', admin.password),
      '',
      bold(`Demo keys of the TEST environment (all keys: ${config.dataDir}/demo.json)`),
      line('X-API-Key', publicTest),
      line('X-API-Secret', secretTest),
      '',
      bold('Award points, play, look at the leaderboard'),
      `  curl -X POST ${base}/v1/points/award -H 'X-API-Secret: ${secretTest}' -H 'Content-Type: application/json' -d '{"userId":"alice","eventType":"signup","displayName":"Alice"}'`,
      '',
      `  curl -X POST ${base}/v1/games/play -H 'X-API-Key: ${publicTest}' -H 'Content-Type: application/json' -d '{"userId":"alice","gameType":"NEON_WHEEL"}'`,
      '',
      `  curl ${base}/v1/leaderboard -H 'X-API-Key: ${publicTest}'`,
    )
  }
  return [...lines, '', 'Ctrl-C stops it.', ''].join('\n')
}

/** The longest time that a request may take to finish once the server is stopping. */
const drainMs = 9_000

let production = false

const explainAndExit = (error: unknown): never => {
  const text = explain(error)
  if (production || (error instanceof ConfigError && error.production)) {
    const log = createLog({ production: true, logLevel: 'fatal' })
    log.fatal(text ? {} : { err: error }, text ?? 'Tessera could not start')
  } else if (text) console.error(text)
  else console.error('Tessera could not start:', error)
  process.exit(1)
}

/**
 * `npm start` passes on a signal that the terminal has already sent to all of its processes, so the signal arrives
 * twice.
 */
const sameSignalMs = 1_000

const main = async () => {
  const config = readConfig()
  production = config.production
  const log = createLog(config)
  if (production) log.info({ version, node: process.version }, 'starting')
  for (const warning of config.warnings) log.warn(warning)
  const stopping = new AbortController()
  const starting = startServer(config, { log, signal: stopping.signal })
  let stoppingSince: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    stopping.abort()
    preventExitHang()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), config.drainDelayMs + drainMs).unref()
    // An aborted start leaves nothing to stop.
    await starting.then((server) => server.stop()).catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.removeAllListeners(signal).on(signal, () => void stop(signal))
  const { port, demo } = await starting.catch((error) => {
    if (stopping.signal.aborted) return new Promise<never>(() => {})
    throw error
  })
  if (!production)
    console.log(welcome({ config, port, embedded: config.databaseUrl === undefined, demo }))
}

await main().catch(explainAndExit)
