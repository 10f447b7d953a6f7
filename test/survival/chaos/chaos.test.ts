/**
 * Kills, pauses and restarts each part of a whole production in turn, under load. `CHAOS_SECONDS` says for how long,
 * `CHAOS_SEED` in which order.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createReceiver, type Receiver, signatureOf } from '../../webhooks/receiver.ts'
import { sequence } from '../sequence.ts'
import { startMixedLoad } from './mixed-load.ts'
import { type Part, programs, startStage } from './stage.ts'

const seconds = Number(process.env.CHAOS_SECONDS ?? 600)
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e9))

const faults = ['kill', 'pause', 'restart'] as const
type Fault = (typeof faults)[number]

/** All faults of all parts in an order of the seed, endlessly. */
function* script(parts: Part[], random: () => number): Generator<[Part, Fault]> {
  for (;;) {
    const steps = parts.flatMap((part) => faults.map((fault) => [part, fault] as [Part, Fault]))
    while (steps.length > 0)
      yield steps.splice(Math.floor(random() * steps.length), 1)[0] as [Part, Fault]
  }
}

const note = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

const missing = programs.filter((program) => !existsSync(program))
if (missing.length > 0) console.warn(`Chaos is not tested: there is no ${missing.join(', ')}.`)
const isSkipped = missing.length > 0 || seconds === 0

let stage: Awaited<ReturnType<typeof startStage>>
let receiver: Receiver
beforeAll(async () => {
  if (isSkipped) return
  stage = await startStage(note)
  receiver = await createReceiver()
})
afterAll(async () => {
  await receiver?.end()
  await stage?.end()
})

/** Another fault follows at once if the first was short; nothing heals completely in between. */
const calmMs = { least: 1_000, most: 5_000 }
const faultMs = { least: 500, most: 4_000 }
const between = ({ least, most }: typeof calmMs, random: () => number) =>
  least + random() * (most - least)

const createEndpoint = async () => {
  const answer = await fetch(`${stage.base}/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': stage.keys.secretTest },
    body: JSON.stringify({ url: receiver.url, events: ['*'] }),
  })
  return ((await answer.json()) as { data: { secret: string; createdAt: string } }).data
}

test.skipIf(isSkipped)(
  'nothing is lost, doubled or invented while each part fails in turn',
  { timeout: (seconds + 300) * 1000 },
  async () => {
    note(`seed ${seed}, ${seconds} seconds`)
    onTestFailed(() => console.log(`seed ${seed}\n${stage.log().slice(-10_000)}`))
    const endpoint = await createEndpoint()
    const load = startMixedLoad(stage)
    const random = sequence(seed)
    const end = Date.now() + seconds * 1000
    for (const [part, fault] of script(stage.parts, random)) {
      await sleep(between(calmMs, random))
      if (Date.now() > end) break
      const ms = between(faultMs, random)
      note(`${fault} ${part.name} for ${(ms / 1000).toFixed(1)} s`)
      await part[fault](ms)
      if (load.faults.length > 0) break
    }
    await stage.untilWhole(60_000)
    note('all parts work again')
    await load.stop()
    note(JSON.stringify(load.counts(), null, 2))
    expect(load.faults).toEqual([])

    const played = await stage.primary.query(
      `SELECT u.external_id AS user, count(p.id)::int AS plays
       FROM end_user u LEFT JOIN play p ON p.user_id = u.id
       WHERE u.external_id LIKE 'plays-%' GROUP BY u.external_id`,
      'chaos',
    )
    for (const { user, plays } of played) {
      const { known, unknown } = load.plays.get(user) as { known: number; unknown: number }
      expect(plays, user).toBeGreaterThanOrEqual(known)
      expect(plays, user).toBeLessThanOrEqual(known + unknown)
    }

    const readEvents = async (): Promise<string[]> => {
      const events = await stage.primary.query(
        `SELECT e.id FROM event e JOIN partner p ON p.id = e.partner_id
         WHERE p.slug = 'demo' AND e.environment = 'TEST'`,
        'chaos',
      )
      return events.map(({ id }) => id)
    }
    // Jobs still write events of the callers' actions.
    let events: string[] = []
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(500)) {
      await load.readFeed()
      events = await readEvents()
      if (load.followed.length >= events.length) break
    }
    expect(load.followed.length).toBe(new Set(load.followed).size)
    expect([...load.followed].sort()).toEqual(events.sort())

    const due = `SELECT count(*)::int AS n FROM webhook_delivery WHERE status = 'PENDING'`
    for (const until = Date.now() + 120_000; Date.now() < until; await sleep(500))
      if ((await stage.primary.query(due, 'chaos'))[0].n === 0) break
    const delivered = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']))
    const wanted = await stage.primary.query('SELECT event_id AS id FROM webhook_delivery', 'chaos')
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter(({ id }) => !delivered.has(id))).toEqual([])
    for (const { headers, text } of receiver.received)
      expect(headers['x-webhook-signature']).toBe(signatureOf(endpoint.secret, text))

    expect(stage.log()).not.toMatch(/unhandled|uncaught/i)
    const pool = new pg.Pool({ connectionString: stage.primary.url('chaos'), max: 1 })
    const broken: string[] = []
    await audit(pool, (name, count) => count > 0 && broken.push(`${name}: ${count}`))
    await pool.end()
    expect(broken).toEqual([])
  },
)
