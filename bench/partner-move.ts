/**
 * `npm run bench:partner-move -- --users 10000 --rate 200`: for how long a partner's writes wait while the partner
 * moves to another cell and keeps writing at a fixed rate. Callers retry refused requests and follow 421 as a router.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTessera, tempFolder } from './bench.ts'
import { atEnd, endChild, runToEnd } from './child.ts'
import { startPostgres } from './postgres.ts'
import { seedUsers } from './seed.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '200' },
  },
})
const users = Number(values.users)
const rate = Number(values.rate)
const secondsAround = 5

const program = fileURLToPath(new URL('../bin/tessera.js', import.meta.url))

/** Awards at a fixed rate. Each is retried until it succeeds. */
const startAwards = (bases: { home: string; c2: string }, secret: string) => {
  const doneAt: number[] = []
  /** Refused awards by error code: their number, and when the first and the last were refused. */
  const refusals = new Map<string, { count: number; first: number; last: number }>()
  let base = bases.home
  const award = async (n: number) => {
    const body = JSON.stringify({
      userId: `user-${1 + (n % users)}`,
      eventType: 'purchase',
      reference: `order-${n}`,
    })
    const headers = { 'content-type': 'application/json', 'x-api-secret': secret }
    for (;;) {
      const to = base
      const answer = await fetch(`${to}/v1/points/award`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.status === 200) return void doneAt.push(performance.now())
      if (answer.status === 421) base = to === bases.home ? bases.c2 : bases.home
      else if (answer.status !== 503) throw new Error(text)
      const { errorCode } = JSON.parse(text)
      const at = performance.now()
      const { count, first } = refusals.get(errorCode) ?? { count: 0, first: at }
      refusals.set(errorCode, { count: count + 1, first, last: at })
      await sleep(20)
    }
  }
  const startedAt = performance.now()
  const running = new Set<Promise<void>>()
  let sent = 0
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  const timer = setInterval(() => {
    while (sent < ((performance.now() - startedAt) * rate) / 1000) {
      const one = award(sent++).finally(() => running.delete(one))
      running.add(one)
      one.catch(failed.reject)
    }
  }, 2)
  return {
    refusals,
    failed: failed.promise,
    /** Returns the number of awards, and the longest time without any. */
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      const gaps = doneAt
        .slice(1)
        .map((at, i) => ({ from: doneAt[i] as number, ms: at - (doneAt[i] as number) }))
      const longest = gaps.reduce((a, b) => (b.ms > a.ms ? b : a))
      return { awards: doneAt.length, longest }
    },
  }
}

const move = async (env: NodeJS.ProcessEnv, args: string[]): Promise<void> => {
  const child: ChildProcess = spawn(process.execPath, [program, 'partner', 'move', ...args], {
    env,
    stdio: 'inherit',
  })
  atEnd(() => endChild(child, 'SIGTERM'))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The move ended with ${code}`)
}

await runToEnd(async () => {
  console.log('Starting two cells …')
  const { client, url } = await startPostgres()
  const other = await startPostgres()
  const dataDir = tempFolder()
  const env: NodeJS.ProcessEnv = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir }
  const toOther = { ...env, TARGET_DATABASE_URL: other.url }
  const run = (args: string[], on = env) =>
    execFileSync(process.execPath, [program, ...args], { env: on, encoding: 'utf8' })
  const createPartner = (name: string, on = env) =>
    JSON.parse(run(['partner', 'create', name, '--with-keys', '--with-demo', '--json'], on))
  const home = await startTessera(dataDir, url)
  run(['cell', 'create'], toOther)
  const c2 = await startTessera(dataDir, other.url, undefined, { CELL: 'c2' })
  const made = createPartner('Big')
  const neighbour = createPartner('Neighbour', { ...env, DATABASE_URL: other.url, CELL: 'c2' })
  console.log(`Making ${users.toLocaleString('en')} users …`)
  await seedUsers(client, { partnerId: made.id, users })

  console.log(`Moving the partner, who writes ${rate} awards a second …`)
  const baseOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  const bases = { home: baseOf(home), c2: baseOf(c2) }
  // The other cell is in use already.
  const others = startAwards({ home: bases.c2, c2: bases.c2 }, neighbour.keys.secretTest)
  const awards = startAwards(bases, made.keys.secretTest)
  await sleep(secondsAround * 1000)
  await others.stop()
  const startedAt = performance.now()
  const moving = move(toOther, ['big', '--to-cell', 'c2'])
  await Promise.race([moving, awards.failed])
  const seconds = (performance.now() - startedAt) / 1000
  await sleep(secondsAround * 1000)
  const { awards: count, longest } = await awards.stop()
  console.log(
    `Moved in ${seconds.toFixed(1)} s. Of ${count} awards none was done for ${Math.round(longest.ms)} ms. In that time:`,
  )
  for (const [code, { count, first, last }] of awards.refusals) {
    const [from, to] = [first, last].map((at) => Math.round(at - longest.from))
    console.log(`  ${code}: ${count} answers, from ${from} to ${to} ms`)
  }
  const { rows } = await other.client.query({
    text: `SELECT count(*)::int AS n FROM ledger_entry WHERE partner_id = $1 AND event_type = 'purchase'`,
    values: [made.id],
  })
  if (rows[0].n !== count) throw new Error(`${rows[0].n} awards are in the other cell`)
  return true
})
