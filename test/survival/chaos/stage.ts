/** A whole production on one machine: two nodes, PostgreSQL with a standby, PgBouncer, Redis and a proxy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  demoKeys,
  freePort,
  type Program,
  startCommand,
  startProgram,
} from '../../server-process.ts'
import { createFolder, runProgram, startCluster } from '../cluster.ts'
import { startPgBouncer } from '../pgbouncer.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>

/** A part of the stage that can fail. Each fault ends by itself: the part runs again when it resolves. */
export type Part = {
  name: string
  /** Ends it without warning, and starts it again after this time. */
  kill(ms: number): Promise<unknown>
  /** Freezes it for this time. Its connections stay open. */
  pause(ms: number): Promise<unknown>
  /** Stops it as an operator does, and starts it again after this time. */
  restart(ms: number): Promise<unknown>
}

/** Programs that a stage needs besides PostgreSQL's, as Debian installs them. */
export const programs = ['/usr/sbin/nginx', '/usr/bin/redis-server', '/usr/sbin/pgbouncer']

/** PgBouncer refuses connections for 15 seconds after PostgreSQL has refused one. */
const startMs = 60_000

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Whether a node is past its start. Its port is open before, and it ends if it does not reach the database. */
const isStarted = async (port: number): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  const { status } = ((await answer?.json().catch(() => null)) ?? { status: 'starting' }) as {
    status: string
  }
  return status !== 'starting' && status !== 'migrating'
}

/** A program that `launch` starts on a port that stays the same, with the processes that it starts itself. */
const startPart = async (
  name: string,
  port: number,
  launch: () => Program,
  isServing: (port: number) => Promise<boolean> = isOpen,
) => {
  let program: Program
  const signal = (kind: NodeJS.Signals) => process.kill(-program.pid, kind)
  /** Like a supervisor: a program that ends before it serves is started again. */
  const start = async () => {
    program = launch()
    for (const until = Date.now() + startMs; !(await isServing(port)); await sleep(100)) {
      if (Date.now() > until) throw new Error(`${name} does not start: ${program.output()}`)
      if (program.isAlive()) continue
      await sleep(1_000)
      program = launch()
    }
  }
  const end = async (kind: 'SIGTERM' | 'SIGKILL') => {
    if (program.isAlive()) signal(kind)
    await program.exited
  }
  const endFor = (kind: 'SIGTERM' | 'SIGKILL') => async (ms: number) => {
    await end(kind)
    await sleep(ms)
    await start()
  }
  await start()
  const part: Part = {
    name,
    kill: endFor('SIGKILL'),
    restart: endFor('SIGTERM'),
    pause: async (ms) => {
      signal('SIGSTOP')
      await sleep(ms)
      signal('SIGCONT')
    },
  }
  return { part, output: () => program.output(), end: () => end('SIGKILL') }
}

const clusterPart = (name: string, cluster: Cluster): Part => {
  const endFor = (mode: 'immediate' | 'fast') => async (ms: number) => {
    await cluster.stop(mode)
    await sleep(ms)
    await cluster.start()
  }
  return {
    name,
    kill: endFor('immediate'),
    restart: endFor('fast'),
    pause: async (ms) => {
      cluster.freeze()
      await sleep(ms)
      cluster.thaw()
    },
  }
}

const nginxConf = (folder: string, port: number, nodes: number[]) => `
daemon off;
error_log ${folder}/error.log;
pid ${folder}/pid;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')}
  upstream tessera {
    ${nodes.map((node) => `server 127.0.0.1:${node} max_fails=1 fail_timeout=1s;`).join(' ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://tessera;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_connect_timeout 2s;
      proxy_read_timeout 15s;
      proxy_next_upstream error timeout;
    }
  }
}
`

/** @param note called with each step */
export const startStage = async (note: (text: string) => void) => {
  const ends: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const item of ends.splice(0).reverse()) await item()
  }
  try {
    note('PostgreSQL with a standby')
    const primary = await startCluster()
    ends.push(primary.end)
    const database = await primary.createDatabase('chaos')
    ends.push(database.drop)
    const data = createFolder()
    // A replication slot lets the standby catch up after any downtime.
    const slot = ['-C', '-S', 'standby']
    runProgram('pg_basebackup', ['-d', primary.url(), '-D', data, '-R', ...slot, '-c', 'fast'])
    const standby = await startCluster({ data })
    ends.push(standby.end)

    note('PgBouncer, Redis and two nodes')
    const pooler = await startPgBouncer(primary, {
      pool_mode: 'transaction',
      default_pool_size: 12,
    })
    ends.push(pooler.end)
    const folder = mkdtempSync(join(tmpdir(), 'tessera-chaos-'))
    ends.push(async () => rmSync(folder, { recursive: true, force: true }))
    const start = async (...part: Parameters<typeof startPart>) => {
      const started = await startPart(...part)
      ends.push(started.end)
      return started
    }
    const [redisPort, proxyPort, ...ports] = await Promise.all([1, 2, 3, 4].map(freePort))
    const redisOptions = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--dir', folder]
    const redis = await start('Redis', redisPort as number, () =>
      startCommand('/usr/bin/redis-server', [...redisOptions, '--save', ''], {}),
    )
    const env = {
      DATA_DIR: database.dataDir,
      DATABASE_URL: pooler.url('chaos'),
      DATABASE_DIRECT_URL: primary.url('chaos'),
      DATABASE_READ_URL: standby.url('chaos'),
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      HOST: '127.0.0.1',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_PRIVATE: '1',
    }
    const nodes: Awaited<ReturnType<typeof startPart>>[] = []
    for (const port of ports)
      nodes.push(
        await start(
          `node ${nodes.length + 1}`,
          port,
          () => startProgram({ ...env, PORT: String(port) }),
          isStarted,
        ),
      )
    const bases = ports.map((port) => `http://127.0.0.1:${port}`)

    const conf = join(folder, 'nginx.conf')
    writeFileSync(conf, nginxConf(folder, proxyPort as number, ports))
    const proxy = await start('proxy', proxyPort as number, () =>
      startCommand('/usr/sbin/nginx', ['-p', folder, '-c', conf, '-e', `${folder}/error.log`], {}),
    )
    /** Waits until every node is ready and none reports that something is missing. */
    const untilWhole = async (longestMs: number) => {
      for (const until = Date.now() + longestMs; ; await sleep(200)) {
        const states = await Promise.all(
          bases.map((base) =>
            fetch(`${base}/readyz?verbose`).then(
              async (answer) => `${answer.status} ${await answer.text()}`,
              String,
            ),
          ),
        )
        if (states.every((state) => /^200 .*"degraded":\[\]/.test(state))) return
        if (Date.now() > until) throw new Error(`not whole again: ${states.join('\n')}`)
      }
    }
    await untilWhole(60_000)
    return {
      base: `http://127.0.0.1:${proxyPort}`,
      keys: demoKeys(database),
      primary,
      parts: [
        clusterPart('PostgreSQL', primary),
        clusterPart('standby', standby),
        { name: 'PgBouncer', kill: pooler.kill, pause: pooler.pause, restart: pooler.restart },
        ...[redis, proxy, ...nodes].map(({ part }) => part),
      ] satisfies Part[],
      /** The logs of the nodes. */
      log: () => nodes.map(({ output }) => output()).join('\n'),
      untilWhole,
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}
