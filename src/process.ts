/** Starts and stops the process. */
import { ConfigError, readConfig } from './core/config.ts'
import { DataDirLockedError } from './core/db/data-dir.ts'
import { MigrationError } from './core/db/migration-state.ts'
import { codeOf } from './core/db/outage.ts'
import { PoolerError } from './core/db/pooler.ts'
import { createLog } from './core/log.ts'
import { version } from './core/version.ts'
import { welcome } from './demo/welcome.ts'
import { startServer } from './server.ts'

/** The longest time that a request may take to finish once the server is stopping. */
const drainMs = 9_000

/** What an operator can do about a problem of the environment, by error code. */
const cannotStart: Record<string, string> = {
  ECONNREFUSED: 'The database cannot be reached: is PostgreSQL running at DATABASE_URL?',
  ENOTFOUND: 'The host of DATABASE_URL or HOST is not known.',
  EAI_AGAIN: 'The host of DATABASE_URL or HOST cannot be looked up.',
  '3D000': 'The database of DATABASE_URL does not exist: make it with createdb.',
  '28P01': 'The user or the password of DATABASE_URL is wrong.',
  '25006': 'No host of DATABASE_URL accepts writes.',
  '28000': 'The user of DATABASE_URL may not connect.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  EACCES: 'Not allowed: check PORT, and who owns DATA_DIR.',
  EEXIST: 'DATA_DIR is a file; it must be a folder.',
  ENOTDIR: 'DATA_DIR is a file; it must be a folder.',
}

/** Errors whose message already says what to do. */
const ownFaults = [DataDirLockedError, MigrationError, PoolerError]

/** The message for an operator when the server could not start. */
const explain = (error: unknown): string | undefined => {
  const { port, message } = error as NodeJS.ErrnoException & { port?: number }
  const code = codeOf(error)
  if (error instanceof ConfigError)
    return `The configuration is not usable:\n${message.replace(/^/gm, '  ')}`
  if (ownFaults.some((fault) => error instanceof fault)) return message
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Stop the other program, or choose another: PORT=${Number(port) + 1} npm start`
  const known = cannotStart[code ?? '']
  return known && `${known} (${message})`
}

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
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), config.drainDelayMs + drainMs).unref()
    // An aborted start leaves nothing to stop.
    await starting.then((server) => server.stop()).catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.removeAllListeners(signal).on(signal, () => void stop(signal))
  const { port, database, demo } = await starting.catch((error) => {
    if (stopping.signal.aborted) return new Promise<never>(() => {})
    throw error
  })
  if (!production) console.log(welcome({ config, port, embedded: database.embedded, demo }))
}

await main().catch(explainAndExit)
