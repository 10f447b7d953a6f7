/**
 * The steps of the Dockerfile without Docker: the commands of its first stage run in a clone, what the second stage
 * copies is put together, and its command starts as another user on a file system that nobody can write to.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/kit/version.ts'
import { freePort } from '../server-process.ts'
import { createFolder, startCluster } from './cluster.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
const [, first = '', second = ''] = dockerfile.split(/^FROM .*$/m)

/** All arguments of an instruction in a stage. */
const all = (stage: string, instruction: string) =>
  [...stage.matchAll(new RegExp(`^ *${instruction} (.+)$`, 'gm'))].map(([, text]) => String(text))

const nobody = 65534
const folder = createFolder()
const [clone, image, data] = ['clone', 'image', 'data'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
// The Node.js of the image's base. The version on this machine may be older.
const PATH = `${dirname(process.execPath)}:${process.env.PATH?.replace(/[^:]*node_modules[^:]*:/g, '')}`
/** Commands that reach the registry may need settings of this machine, such as certificates. */
const outside = { ...process.env, PATH, NODE_ENV: '' }

const megabytes = (path: string) =>
  Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0])

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster()
  execFileSync('git', ['clone', '-q', root, clone])
  for (const command of all(first, 'RUN'))
    execFileSync('sh', ['-c', command], { cwd: clone, env: outside, stdio: 'pipe' })
  mkdirSync(image)
  for (const line of all(second, 'COPY --from=build')) {
    const paths = line.split(' ').map((path) => path.replace(/^\/app\/|^\.\//, ''))
    const target = paths.pop() as string
    for (const path of paths)
      cpSync(join(clone, path), join(image, target === '' ? path : target), { recursive: true })
  }
  rmSync(clone, { recursive: true })
  mkdirSync(data)
  chownSync(data, nobody, nobody)
  for (const path of [folder, image]) chmodSync(path, 0o755)
}, 600_000)
afterAll(async () => {
  await cluster?.end()
  rmSync(folder, { recursive: true, force: true })
})

test('what is copied has no package that only builds, and takes little', () => {
  const [server, ui] = ['package.json', 'console/package.json'].map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  )
  const devDependencies = { ...server.devDependencies, ...ui.devDependencies }
  const installed = execFileSync('ls', [join(image, 'node_modules')], { encoding: 'utf8' }).split(
    '\n',
  )
  for (const name of ['vite', 'prisma', 'react', 'typescript', 'vitest']) {
    expect(devDependencies).toHaveProperty(name)
    expect(installed).not.toContain(name)
  }
  for (const name of ['lit', 'openapi-fetch']) expect(installed).not.toContain(name)
  expect(megabytes(image)).toBeLessThan(200)
})

/** Runs a command of the image as nobody, who can write to the data folder only. */
const run = (command: string[], env: Record<string, string>) => {
  const script = `mount --make-rprivate / && mount --bind ${data} ${data} && mount -o remount,bind,ro / &&
    exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups --no-new-privs --inh-caps=-all \
      --bounding-set=-all "$@"`
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], {
    cwd: image,
    env: { PATH, HOME: '/nonexistent', DATA_DIR: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, exited, output: () => output }
}

const settingsOf = (stage: string) =>
  Object.fromEntries(
    all(stage, 'ENV').flatMap((line) => line.split(' ').map((item) => item.split('=', 2))),
  )
const jsonOf = (stage: string) => JSON.parse(all(stage, 'CMD').at(-1) as string) as string[]

test('its command serves on a read-only file system as another user, and its health check sees it', async () => {
  const PORT = String(await freePort())
  const secret = join(data, 'master_key')
  execFileSync('sh', ['-c', `printf '%064d' 7 > ${secret} && chown ${nobody} ${secret}`])
  const env = {
    ...settingsOf(second),
    DATA_DIR: data,
    PORT,
    HOST: '127.0.0.1',
    DATABASE_URL: cluster.url(),
    MASTER_KEY_FILE: secret,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    TRUST_PROXY: '0',
  }
  const server = run(jsonOf(second), env)
  const base = `http://127.0.0.1:${PORT}`
  while (!(await fetch(`${base}/readyz`).catch(() => null))?.ok) {
    expect(server.child.exitCode, server.output()).toBeNull()
    await sleep(100)
  }
  expect(await (await fetch(`${base}/livez`)).json()).toEqual({ status: 'ok', version })
  for (const page of ['/console', '/arena', '/docs/graphql', '/openapi.json', '/schema.graphql'])
    expect((await fetch(base + page)).status, page).toBe(200)
  const touched = run(['touch', join(image, 'src/new')], {})
  expect(await touched.exited).not.toBe(0)
  expect(touched.output()).toMatch(/Read-only file system|Permission denied/)

  const [check = '[]'] = [...second.matchAll(/HEALTHCHECK .*?CMD (\[.+\])/g)].map(
    ([, text]) => text,
  )
  const health = () => run(JSON.parse(check), { PORT }).exited
  expect(await health()).toBe(0)
  server.child.kill('SIGTERM')
  expect(await server.exited, server.output()).toBe(0)
  expect(await health()).toBe(1)
  for (const line of server.output().trim().split('\n')) JSON.parse(line)
  expect(server.output()).toContain(`"version":"${version}"`)
})

test('the commands of an operator work in it', async () => {
  const env = {
    ...settingsOf(second),
    DATA_DIR: data,
    DATABASE_URL: cluster.url(),
    MASTER_KEY: 'k'.repeat(32),
  }
  for (const command of ['src/cli/migrate.ts --status', 'src/cli/audit.ts']) {
    const ran = run(['node', ...command.split(' ')], env)
    expect(await ran.exited, ran.output()).toBe(0)
  }
})

test('all that the second stage copies comes from the first one', () => {
  expect(all(second, 'COPY').filter((line) => !line.startsWith('--from=build /app/'))).toEqual([])
})
