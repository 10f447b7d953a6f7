/** The router of `deploy/cells/nginx.conf`, in a real nginx, in front of the cells of a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../folder.ts'
import { freePort } from '../server-process.ts'

const program = process.env.NGINX ?? '/usr/sbin/nginx'

/** Debian's package is `nginx-light`. */
export const hasNginx = existsSync(program)

const shipped = new URL('../../deploy/cells/nginx.conf', import.meta.url)

/**
 * Starts the router as it is shipped, except for addresses and the folders of Debian's build, which need root.
 * @param cells the address of the only node of the cell without a name, and of c2
 */
export const startRouter = async (cells: { home: string; c2: string }) => {
  const folder = createFolder('nginx')
  const port = await freePort()
  const addressOf = (base: string) => new URL(base).host
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  const text = readFileSync(shipped, 'utf8')
    .replace('127.0.0.1:4000', addressOf(cells.home))
    .replace('127.0.0.1:4100', addressOf(cells.c2))
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http {', `http { ${folders}`)
    .replace('worker_processes auto', 'worker_processes 1')
  mkdirSync(join(folder, 'logs'))
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  const log = join(folder, 'error.log')
  const globals = [
    `daemon off; pid ${join(folder, 'pid')}; error_log ${log} warn;`,
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
  ].join(' ')
  const child = spawn(program, ['-e', log, '-p', folder, '-c', file, '-g', globals], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const base = `http://127.0.0.1:${port}`
  while (!(await fetch(`${base}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8'))
    await sleep(50)
  }
  return {
    base,
    log: () => readFileSync(log, 'utf8'),
    end: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
