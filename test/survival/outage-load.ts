/** Callers that never stop, the answers that they got, and a check of whether these were true. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { awake } from '../timing.ts'
import type { World } from '../world.ts'

type At = Pick<World, 'base'> & { secret: string }

type Told = { status: number; code: string; message: string; retryAfter: string | null; ms: number }

/** Sends a request and returns the outcome; status 0 if the connection broke. */
export const tell = async (
  url: string,
  init: RequestInit = {},
): Promise<Told & { text: string }> => {
  const from = awake()
  const lost = { status: 0, headers: new Headers(), text: async () => '' }
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000), ...init }).catch(
    () => lost,
  )
  const text = await response.text().catch(() => '')
  const body = text.startsWith('{') ? JSON.parse(text) : {}
  return {
    status: response.status,
    code: body.errorCode ?? body.errors?.[0]?.extensions?.code ?? '',
    message: body.message ?? body.errors?.[0]?.message ?? '',
    retryAfter: response.headers.get('retry-after'),
    ms: awake() - from,
    text,
  }
}

const json = (secret: string) => ({ 'content-type': 'application/json', 'x-api-secret': secret })

export const award = ({ base, secret }: At, reference: string, headers = {}) =>
  tell(`${base}/v1/points/award`, {
    method: 'POST',
    headers: { ...json(secret), ...headers },
    body: JSON.stringify({ userId: `u${reference.length}`, eventType: 'purchase', reference }),
  })

/** Callers who award until `stop`, each sending the next award as soon as the last one was answered. */
export const startLoad = (at: At, callers = 16) => {
  const told = new Map<string, Told>()
  const run = randomUUID()
  let going = true
  const call = async (caller: number) => {
    for (let n = 0; going; n++) {
      const reference = `${run}-${caller}-${n}`
      const answer = await award(at, reference)
      told.set(reference, answer)
      if (answer.status !== 200) await sleep(100)
    }
  }
  const calls = Array.from({ length: callers }, (_, i) => call(i))
  return {
    told,
    count: (status: number) => [...told.values()].filter((item) => item.status === status).length,
    stop: async () => {
      going = false
      await Promise.all(calls)
      return told
    },
  }
}

/** An outage is reported as such, with the time to retry. */
export const expectOutage = (told: Told) => {
  expect(told).toMatchObject({ status: 503 })
  expect(['UNAVAILABLE', 'OVERLOADED']).toContain(told.code)
  expect(told.retryAfter).toMatch(/^\d+$/)
}

/** Acknowledged awards are in the ledger once; calls that did nothing have no entry. */
export const expectHonest = async (
  told: Map<string, Told>,
  { runtime }: Pick<World, 'runtime'>,
) => {
  const entries = await runtime.db.ledgerEntry.findMany({ select: { reference: true } })
  const written = new Set(entries.map(({ reference }) => reference))
  expect(written.size).toBe(entries.length)
  const outcomes = { acknowledged: 0, refused: 0, unknown: 0, unknownWritten: 0 }
  for (const [reference, item] of told) {
    if (item.status === 200) {
      outcomes.acknowledged++
      expect(written, reference).toContain(reference)
      continue
    }
    expectOutage(item)
    if (/unknown/.test(item.message)) {
      outcomes.unknown++
      if (written.has(reference)) outcomes.unknownWritten++
    } else {
      outcomes.refused++
      expect(written, `${reference}: ${item.message}`).not.toContain(reference)
    }
  }
  return outcomes
}

/** Polls `/readyz`. */
export const watchReady = ({ base }: Pick<World, 'base'>) => {
  const slowest = { ms: 0 }
  let now: boolean | undefined
  let going = true
  const watching = (async () => {
    while (going) {
      const { status, ms } = await tell(`${base}/readyz`)
      now = status === 200
      slowest.ms = Math.max(slowest.ms, ms)
      await sleep(50)
    }
  })()
  return {
    /** Waits for this state; returns the milliseconds that it took. */
    until: async (ready: boolean) => {
      const from = awake()
      now = undefined
      while (now !== ready && awake() - from < 30_000) await sleep(10)
      return awake() - from
    },
    stop: async () => {
      going = false
      await watching
      return slowest.ms
    },
  }
}
