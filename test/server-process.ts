/** Programs of the repository as separate processes, which a test can kill. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../src/demo/demo.ts'
import type { TestDatabase } from './world.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where commands find their compiled code, as `src/main.js` does. Loading one takes half of the time with it. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/tessera')

/**
 * For a program that ends soon: the embedded database is optimized late, as in commands. Starting and stopping a server
 * takes half of the CPU time with it. Under load, it takes more.
 */
export const optimizeLate = '--wasm-tiering-budget=2147483647'

/** Test processes that run side by side take different ports: a port is free until its program listens. */
const lanes = 4
const lane = Number(process.env.VITEST_POOL_ID ?? 0) % lanes

/** A free port outside of the range from which the system assigns ports. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = lane + lanes * randomInt(20_000 / lanes, 32_000 / lanes)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

export type Program = ReturnType<typeof startProgram>

/** Programs that have not ended, by process id, with all they have printed. */
export const runningPrograms = new Map<number, { command: string; output: () => string }>()

/** Runs a program of the repository, with arguments, with only this environment. */
export const startProgram = (
  env: Record<string, string>,
  program = 'src/main.js',
  options = [optimizeLate],
) => startCommand(process.execPath, [...options, ...program.split(' ')], env)

/**
 * Runs a command in the repository, in a separate process group, with only this environment: it finds the programs
 * that are installed on the machine.
 */
export const startCommand = (command: string, args: string[], env: Record<string, string>) => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: PATH.replace(/[^:]*node_modules[^:]*:/g, ''),
      HOME,
      NODE_COMPILE_CACHE,
      DEMO_PAST: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let said = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      said()
    })
  const pid = child.pid as number
  runningPrograms.set(pid, { command: args.join(' '), output: () => output })
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      runningPrograms.delete(pid)
      for (const line of output.split('\n'))
        if (line.includes('an error that it does not declare'))
          channel('tessera:undeclared-error').publish(line)
      resolve(code)
      said()
    })
  })
  return {
    pid,
    /** All it has printed. */
    output: () => output,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    /** The exit code; null when a signal ended it. */
    exited,
    /** Resolves when it has printed the text; fails with all it printed when it ended before. */
    until: (text: string) =>
      new Promise<void>((resolve, reject) => {
        said = () => {
          if (output.includes(text)) resolve()
          else if (child.exitCode !== null || child.signalCode) reject(new Error(output))
        }
        said()
      }),
    /** Sends a signal and waits for the end. */
    end: async (signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT') => {
      child.kill(signal)
      return exited
    },
  }
}

export type ServerProcess = Pick<Program, 'pid' | 'output' | 'isAlive' | 'exited'> & {
  base: string
  /** The answer, or null when the connection broke before there was one. */
  award(key: string, body: unknown): Promise<{ status: number; ledgerId: string } | null>
  /** Ends the process with a signal and waits until it is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts the server on a database, or another program that serves; resolves when it answers. */
export const startServer = async (
  { databaseUrl, dataDir }: TestDatabase,
  env: Record<string, string> = {},
  served = 'src/main.js',
): Promise<ServerProcess> => {
  const port = await freePort()
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    NEW_USER_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  }
  const program = startProgram(settings, served, [])
  const base = `http://127.0.0.1:${port}`
  while (!(await fetch(`${base}/readyz`).catch(() => null))?.ok) {
    if (!program.isAlive()) throw new Error(program.output())
    await sleep(50)
  }
  return {
    ...program,
    base,
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
      await program.end(signal)
    },
  }
}

/** The demo file that the first server on a database wrote to its folder: keys and members. */
export const readDemo = ({ dataDir }: Pick<TestDatabase, 'dataDir'>): Demo =>
  JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))

export const demoKeys = (database: Pick<TestDatabase, 'dataDir'>): Demo['keys'] =>
  readDemo(database).keys
