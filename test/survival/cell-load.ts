/** Callers of one partner in front of a router: they award, play and read, and retry refused calls. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Keys } from '../world.ts'

const users = 20
const longestMs = 60_000

/** A client of the API at this address. */
export const clientOf = (base: string) => {
  const call = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        [key.startsWith('pk_') ? 'x-api-key' : 'x-api-secret']: key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, body: text ? JSON.parse(text) : undefined }
  }
  return {
    base,
    get: (path: string, key: string) => call('GET', path, key),
    post: (path: string, key: string, body: unknown) => call('POST', path, key, body),
    graphql: (query: string, variables: unknown, { secret }: { secret: string }) =>
      call('POST', '/graphql', secret, { query, variables }),
  }
}

export const startCellLoad = (base: string, { public: key, secret }: Keys, callers = 6) => {
  const { get, post } = clientOf(base)
  /** Ids of ledger entries and plays that were acknowledged. */
  const [awards, plays]: string[][] = [[], []]
  /** Codes of refusals, and how often. */
  const refusals = new Map<string, number>()
  /** Answers that are neither an acknowledgement nor a refusal without effect. */
  const faults: string[] = []
  let reads = 0
  let isRunning = true

  /** Retries until the answer is no refusal. */
  const untilTaken = async (send: () => ReturnType<typeof get>) => {
    for (const end = Date.now() + longestMs; Date.now() < end; ) {
      const answer = await send()
      if (answer.status !== 503) return answer
      const code = String(answer.body?.errorCode)
      refusals.set(code, (refusals.get(code) ?? 0) + 1)
      await sleep(50)
    }
    throw new Error('refused for ever')
  }
  const callOnce = async () => {
    const userId = `user-${Math.floor(Math.random() * users)}`
    const input = { userId, eventType: 'purchase', reference: randomUUID() }
    const awarded = await untilTaken(() => post('/v1/points/award', secret, input))
    if (awarded.status === 200) awards?.push(awarded.body.data.ledgerId)
    else faults.push(`award ${awarded.status} ${awarded.text}`)
    const played = await untilTaken(() =>
      post('/v1/games/play', key, { userId, gameType: 'NEON_WHEEL' }),
    )
    if (played.status === 200) plays?.push(played.body.data.playId)
    // A user may have too few points.
    else if (played.status !== 402) faults.push(`play ${played.status} ${played.text}`)
    // Reads continue while writes are refused.
    const read = await get(`/v1/users/${userId}/balance`, secret)
    if (read.status === 200) reads++
    else faults.push(`read ${read.status} ${read.text}`)
  }
  const calling = Array.from({ length: callers }, async () => {
    while (isRunning) {
      await callOnce().catch((error) => faults.push(String(error)))
      await sleep(5)
    }
  })
  return {
    awards: awards as string[],
    plays: plays as string[],
    refusals,
    faults,
    reads: () => reads,
    more: async (count: number) => {
      const list = awards as string[]
      for (const goal = list.length + count; list.length < goal; ) {
        if (faults.length > 20) throw new Error(faults.join('\n'))
        await sleep(10)
      }
    },
    stop: async () => {
      isRunning = false
      await Promise.all(calling)
    },
  }
}
