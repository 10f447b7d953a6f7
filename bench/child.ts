/** Processes that a run starts. Each is ended by its own pid, however the run ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const undoing: (() => unknown)[] = []

/** Registers cleanup of something outside of this process. */
export const atEnd = (undo: () => unknown): void => void undoing.push(undo)

let cleaning: Promise<void> | undefined

/** Runs all cleanups, the newest first; also after a failure or Ctrl-C. */
export const cleanUp = (): Promise<void> =>
  (cleaning ??= (async () => {
    for (let undo = undoing.pop(); undo; undo = undoing.pop())
      await (async () => undo())().catch((error: unknown) => console.error(error))
  })())

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** Asks a process to end, and kills it if it has not ended after ten seconds. */
export const endChild = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(impatient)
}

export type Server = { pid: number; port: number; readyAfterMs: number; stop(): Promise<void> }

/**
 * Starts a server that listens on `PORT`; resolves when `/readyz` answers 200.
 * @param flags for Node
 * @throws Error with its last output if it ends before
 */
export const startServer = async (
  script: string,
  env: Record<string, string>,
  flags: string[] = [],
): Promise<Server> => {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...flags, script], {
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => endChild(child, 'SIGTERM')
  atEnd(stop)
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      words = (words + chunk).slice(-4000)
    })
  for (;;) {
    if (hasEnded(child)) throw new Error(`${script} ended before it was ready:\n${words}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.status === 200) break
    await sleep(5)
  }
  return { pid: child.pid as number, port, readyAfterMs: performance.now() - startedAt, stop }
}

/** Runs a command line to its end, cleans up after failure and Ctrl-C too, and exits. `main` tells if it succeeded. */
export const runToEnd = async (main: () => Promise<boolean>): Promise<never> => {
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isInterrupted = true
      void cleanUp().then(() => process.exit(130))
    })
  let isWell = false
  try {
    isWell = await main()
  } catch (error) {
    // An interruption makes the measurement fail. That error is expected.
    if (!isInterrupted) console.error(error)
  }
  await cleanUp()
  process.exit(isInterrupted ? 130 : isWell ? 0 : 1)
}
