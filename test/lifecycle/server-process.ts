import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A port that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

export type ServerProcess = ReturnType<typeof startProcess>

/** Runs a program of the repository with this environment and nothing of ours. */
export const startProcess = (env: Record<string, string>, program = 'src/main.ts') => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let said = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      said()
    })
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      resolve(code)
      said()
    })
  })
  return {
    pid: child.pid as number,
    output: () => output,
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
