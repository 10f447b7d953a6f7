/** A server as a process of its own, which a test can kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../../prisma/seed/demo.ts'
import type { TestDatabase } from '../world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export type ServerProcess = {
  /** The answer, or null when the connection broke before there was one. */
  award(key: string, body: unknown): Promise<{ status: number; ledgerId: string } | null>
  /** Ends the process with a signal and waits until it is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts `src/main.ts` on a database; resolves when it answers. */
export const startProcess = async ({
  databaseUrl,
  dataDir,
}: TestDatabase): Promise<ServerProcess> => {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const base = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server did not start: ${errors}`)
    const answer = await fetch(`${base}/readyz`).catch(() => null)
    if (answer?.ok) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    award: async (key, body) => {
      try {
        const response = await fetch(`${base}/v1/points/award`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-secret': key },
          body: JSON.stringify(body),
        })
        const { data } = (await response.json()) as { data?: { ledgerId: string } }
        return { status: response.status, ledgerId: data?.ledgerId ?? '' }
      } catch {
        return null
      }
    },
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

/** The keys that the first server on a database has written to its folder. */
export const demoKeys = ({ dataDir }: TestDatabase): Demo['keys'] =>
  JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).keys
