/**
 * Starts the server once on an empty folder and ends it, so that the first start of an operator finds compiled code. Part
 * of `npm run build`. Without it that start is only slower, so a failure here fails no build.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const longestMs = 120_000

/** Compiled code fits only a process with the same options. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const heapOptions: string[] = scripts.start.match(/--max-\S+/g) ?? []

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const startAndEnd = async (folder: string) => {
  const port = String(await freePort())
  const { PATH = '', HOME = '' } = process.env
  const settings = { HOST: '127.0.0.1', PORT: port, DATA_DIR: folder, DEMO_PAST: 'off' }
  const server = spawn(process.execPath, [...heapOptions, 'src/main.js'], {
    cwd: root,
    env: { PATH, HOME, ...settings, LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const overdue = setTimeout(() => server.kill('SIGKILL'), longestMs)
  while (server.exitCode === null && server.signalCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) break
    await sleep(50)
  }
  server.kill('SIGTERM')
  await ended
  clearTimeout(overdue)
}

rmSync(join(root, 'node_modules/.cache/tessera'), { recursive: true, force: true })
const folder = mkdtempSync(join(tmpdir(), 'tessera-warm-'))
try {
  await startAndEnd(folder)
} catch (error) {
  console.warn('The first start will be slower:', (error as Error).message)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
