/** Callers who award, play, take part, read and follow, and who know what must be true afterwards. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Demo } from '../../../src/demo/demo.ts'

type Place = { base: string; keys: Demo['keys'] }

/** Status 0 means that the connection broke or timed out. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
type Answer = { status: number; code: string; body: any }

/** A caller waits longer than the proxy, so that it gets the proxy's answer. */
const patienceMs = 20_000
const pauseMs = 20
/** Every retried call is answered within this time, because no fault lasts that long. */
const longestMs = 90_000

/** Allowed answers while parts fail. Everything else is a fault, above all 500. */
const isOutage = ({ status }: Answer) => [0, 502, 503, 504].includes(status)

const purchasePoints = 50

export const startMixedLoad = ({ base, keys }: Place) => {
  let isRunning = true
  const faults: string[] = []
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = {
      'content-type': 'application/json',
      'x-api-secret': keys.secretTest,
      'x-api-key': keys.publicTest,
    }
    try {
      const response = await fetch(base + path, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await response.text()
      const body = text.startsWith('{') ? JSON.parse(text) : {}
      const code = body.errorCode ?? body.errors?.[0]?.extensions?.code ?? ''
      return { status: response.status, code, body }
    } catch {
      return { status: 0, code: '', body: {} }
    }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, { method: 'POST', body: JSON.stringify(body), headers })

  /** Repeats a call until the service has answered it, as a partner's backend does. */
  const insist = async (send: () => Promise<Answer>): Promise<Answer & { tries: number }> => {
    const until = Date.now() + longestMs
    for (let tries = 1; ; tries++) {
      const answer = await send()
      const isOpen = isOutage(answer) || answer.code === 'IDEMPOTENT_REQUEST_IN_PROGRESS'
      if (!isOpen || Date.now() > until) return { ...answer, tries }
      count(`answered ${answer.status}`)
      await sleep(200)
    }
  }
  /** Keeps the first faults. Others follow from them. */
  const note = (fault: string) => faults.length < 20 && faults.push(fault)
  const fault = (what: string, { status, body }: Answer) =>
    note(`${what}: ${status} ${JSON.stringify(body)}`)

  const award = async (userId: string) => {
    const input = { userId, eventType: 'purchase', reference: randomUUID() }
    const answer = await insist(() => post('/v1/points/award', input))
    // A repeated reference is refused: an earlier try was carried out though its answer was lost.
    const isRepeated = answer.status === 409 && answer.tries > 1
    if (answer.status !== 200 && !isRepeated) fault('award', answer)
    count('awards')
  }

  /** Awards to a separate user, who must have each point as soon as it was acknowledged. */
  const awarder = async (userId: string) => {
    for (let awarded = 1; isRunning; awarded++) {
      await award(userId)
      const answer = await call(`/v1/users/${userId}/balance`)
      if (answer.status === 200) {
        const { totalPoints } = answer.body.data
        if (totalPoints !== awarded * purchasePoints)
          note(`${userId} was awarded ${awarded} times and has ${totalPoints} points`)
        count('balances')
      } else if (!isOutage(answer)) fault('balance', answer)
      await sleep(pauseMs)
    }
  }

  /** Plays that were answered, and those whose outcome the service reports as unknown. */
  const plays = new Map<string, { known: number; unknown: number }>()

  const player = async (userId: string) => {
    const played = { known: 0, unknown: 0 }
    plays.set(userId, played)
    await award(userId)
    while (isRunning) {
      const key = { 'idempotency-key': randomUUID() }
      const game = { userId, gameType: 'NEON_WHEEL' }
      const answer = await insist(() => post('/v1/games/play', game, key))
      if (answer.status === 200) played.known++
      else if (answer.code === 'IDEMPOTENT_OUTCOME_UNKNOWN') played.unknown++
      else if (answer.status === 402) await award(userId)
      else fault('play', answer)
      count('plays')
      await sleep(pauseMs)
    }
  }

  /** Calls the other operations that write. */
  const participant = async (name: string) => {
    for (let n = 0; isRunning; n++) {
      const userId = `${name}-${n % 50}`
      const keyed = () => ({ 'idempotency-key': randomUUID() })
      const calls: [string, unknown][] = [
        ['/v1/campaigns/golden-ticket/events', { userId, eventType: 'purchase' }],
        ['/v1/user-journeys/events', { externalId: userId, category: 'shop', eventType: 'visit' }],
        [
          '/v1/lotteries/entries',
          { userId, email: `${userId}@shop.example`, lotterySlug: 'weekly-draw' },
        ],
      ]
      const [path, body] = calls[n % calls.length] as [string, unknown]
      const headers = keyed()
      const answer = await insist(() => post(path, body, headers))
      // 400 and 409 are limits of the campaign and the draw.
      if (![200, 201, 400, 409].includes(answer.status)) fault(path, answer)
      count(`${path} ${answer.status}`)
      await sleep(pauseMs)
    }
  }

  const reader = async () => {
    const query = '{ leaderboard(first: 20) { nodes { rank user { externalId } } } }'
    while (isRunning) {
      const answers = [await call('/v1/leaderboard'), await post('/graphql', { query })]
      for (const answer of answers)
        if (answer.status !== 200 && !isOutage(answer)) fault('read', answer)
        else if (answer.body.errors && answer.code !== 'UNAVAILABLE') fault('GraphQL', answer)
      count('reads')
      await sleep(pauseMs * 5)
    }
  }

  /** Events in the order in which the feed gave them. */
  const followed: string[] = []
  const readOn = async (): Promise<number> => {
    const after = followed.at(-1)
    const answer = await call(`/v1/events?limit=100${after ? `&after=${after}` : ''}`)
    if (answer.status !== 200) {
      if (!isOutage(answer)) fault('events', answer)
      return 0
    }
    const ids: string[] = answer.body.data.map(({ id }: { id: string }) => id)
    followed.push(...ids)
    return ids.length
  }
  const follower = async () => {
    while (isRunning) if ((await readOn()) === 0) await sleep(200)
  }

  const callers = [
    ...['ann', 'bob', 'cid', 'dan'].map((name) => awarder(`awarded-${name}`)),
    ...['eve', 'fay'].map((name) => player(`plays-${name}`)),
    ...['gus', 'hal'].map((name) => participant(`takes-part-${name}`)),
    reader(),
    follower(),
  ]
  return {
    faults,
    plays,
    followed,
    /** How often each thing was done. */
    counts: () => Object.fromEntries([...counts].sort()),
    stop: async () => {
      isRunning = false
      await Promise.all(callers)
    },
    /** Reads the events that the feed has now. Events of transactions in progress come later. */
    readFeed: async () => {
      while ((await readOn()) > 0);
    },
  }
}
