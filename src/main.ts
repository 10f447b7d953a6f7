/** Starts and stops the process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from '../prisma/seed/demo.ts'
import { ConfigError, readConfig } from './core/config.ts'
import { DataDirLockedError } from './core/embedded-db.ts'
import { createLog } from './core/log.ts'
import { welcome } from './pages/welcome.ts'
import { startServer } from './server.ts'

/** A request may take this long to finish after the signal to stop. */
const drainMs = 9_000

const readDemo = (dataDir: string): Demo | null => {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  } catch {
    return null
  }
}

const explainAndExit = (error: unknown): never => {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  if (error instanceof ConfigError)
    console.error(`The configuration is not usable:\n${message.replace(/^/gm, '  ')}`)
  else if (error instanceof DataDirLockedError) console.error(message)
  else if (code === 'EADDRINUSE')
    console.error(
      `Port ${port} is taken. Stop the other program, or choose another: PORT=${Number(port) + 1} npm start`,
    )
  else console.error('Tessera could not start:', error)
  process.exit(1)
}

const main = async () => {
  const config = readConfig()
  const log = createLog(config)
  const server = await startServer(config, { log })
  const demo = config.production ? null : (server.demo ?? readDemo(config.dataDir))
  console.log(welcome({ config, port: server.port, embedded: server.database.embedded, demo }))

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), drainMs).unref()
    await server.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal))
}

await main().catch(explainAndExit)
