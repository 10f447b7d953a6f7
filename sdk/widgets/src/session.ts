/** A user at a server: what all widgets with the same settings share. */
import { playMutation, userQuery, viewerQuery } from './documents.ts'
import { isAboutToken, isPassing, isUnknownUser, Problem } from './problem.ts'
import { pause, request } from './request.ts'
import type { PartialSettings } from './settings.ts'

export type GameType = 'NEON_WHEEL' | 'COSMIC_SLOTS' | 'ENIGMA_BOXES'
type Tier = 'EPIC' | 'RARE' | 'COMMON'
export type Reward = { tier: Tier; type: string; value: number; label: string }
type Outcome = {
  winningSegment?: number
  /** Degrees clockwise, within the segment. */
  spinAngle?: number
  reels?: number[]
  boxIndex?: number
}
export type Play = {
  uuid: string
  gameType: GameType
  pointsSpent: number
  playedAt: string
  outcome: Outcome
  reward: Reward
}

type Refusal = { code: string; message: string }
export type Result<T> = Partial<T> & Partial<Refusal>

/**
 * The payload of a mutation.
 * @throws Problem if it is one of its errors
 */
export const payloadOf = <T>(result: Result<T>): T => {
  if (result.code !== undefined) throw new Problem(result.code, result.message ?? '', 200)
  return result as T
}

const subjectOf = (token: string | undefined): string | undefined => {
  try {
    const claims = (token ?? '').split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(claims.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes)).sub
  } catch {
    return undefined
  }
}

/** A balance that was read so long ago is read again. */
const freshMs = 2_000
const longestPauseMs = 15_000
/** Requests that change nothing are given up after so many tries. */
const readTries = 4

type Sending = {
  /** Makes repeating safe: the API runs one request with this key. The request is then repeated until it is answered. */
  key?: string
  /** Called before each pause between two tries. */
  onWait?: (problem: Problem) => void
}

export class Session extends EventTarget {
  readonly baseUrl: string
  readonly apiKey: string
  #token: string | undefined
  #userId: string | undefined
  #provider: PartialSettings['tokenProvider']
  #fresh: Promise<void> | undefined
  #user: Promise<void> | undefined
  #next: Promise<void> | undefined
  #viewer: Promise<Viewer> | undefined
  #known: number | undefined
  /** Points that have been won or spent, but that a game does not show yet. */
  #hidden = 0
  #readAt = 0
  /** Counts plays that were sent or answered. */
  #plays = 0

  constructor({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
    super()
    this.baseUrl = baseUrl
    this.apiKey = apiKey
    document.addEventListener('visibilitychange', this.#look)
  }

  adopt({ userId, userToken, tokenProvider }: PartialSettings): void {
    const isNewProvider = this.#provider !== undefined && this.#provider !== tokenProvider
    this.#provider = tokenProvider
    // Another provider may speak for another user.
    if (userToken !== undefined || isNewProvider) this.#token = userToken
    this.#userId = userId ?? subjectOf(userToken) ?? (isNewProvider ? undefined : this.#userId)
  }

  /** Whether it can be known who the user is. */
  get hasUser(): boolean {
    return this.#userId !== undefined || this.#provider !== undefined
  }

  /** The user's external id. A provider may have to be asked for a token first. */
  async userId(): Promise<string> {
    if (this.#userId === undefined && this.#provider) await this.#renew()
    if (this.#userId === undefined)
      throw new Problem('NO_USER', 'There is neither user-id nor user-token')
    return this.#userId
  }

  isUser(externalId: string): boolean {
    return this.#userId === externalId
  }

  /** What the user can spend, as the games show it. */
  get balance(): number | undefined {
    return this.#known === undefined ? undefined : this.#known - this.#hidden
  }

  /** Reads the balance, once for all who ask at the same time, unless it was read a moment ago. */
  readUser(): Promise<void> {
    if (Date.now() - this.#readAt < freshMs) return Promise.resolve()
    this.#user ??= this.#readUser().finally(() => {
      this.#user = undefined
    })
    return this.#user
  }

  /** Reads the balance after something has changed it, once for all who ask at the same time. */
  readUserAgain(): Promise<void> {
    // A read that is under way may have missed the change.
    this.#next ??= Promise.resolve(this.#user)
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#readAt = 0
        return this.readUser()
      })
    return this.#next
  }

  /** Points may have been awarded while the user was elsewhere. */
  readonly #look = () => {
    if (!document.hidden && this.#known !== undefined) void this.readUser().catch(() => undefined)
  }

  async #readUser(): Promise<void> {
    const externalId = await this.userId()
    const asked = this.#plays
    const { user } = await this.ask<{ user: { balance: number } | null }>(userQuery, { externalId })
    // A play in between knows better.
    if (asked !== this.#plays) return
    this.#readAt = Date.now()
    this.setBalance(user?.balance ?? 0)
  }

  setBalance(balance: number): void {
    this.#known = balance
    this.#announce()
  }

  #hide(points: number): void {
    this.#hidden += points
    this.#announce()
  }

  #announce(): void {
    this.dispatchEvent(new Event('balance'))
  }

  /** The partner's slug and the environment of the key, which public pages are addressed by. */
  viewer(): Promise<Viewer> {
    this.#viewer ??= this.ask<{ viewer: { environment: string; partner: { slug: string } } }>(
      viewerQuery,
      {},
    ).then(({ viewer }) => ({ environment: viewer.environment, partnerSlug: viewer.partner.slug }))
    this.#viewer.catch(() => {
      this.#viewer = undefined
    })
    return this.#viewer
  }

  /**
   * Plays once. The returned `show` adds to the balance what the play has won, when the game has shown it.
   * @throws Problem
   */
  async play(
    gameType: GameType,
    price: number,
    onWait: (problem: Problem) => void,
  ): Promise<{ play: Play; show: () => void }> {
    const key = crypto.randomUUID()
    const externalId = await this.userId()
    this.#plays++
    this.#hide(price)
    try {
      type Data = { result: Result<{ play: Play; user: { balance: number } }> }
      const { result } = await this.ask<Data>(
        playMutation,
        { externalId, gameType },
        { key, onWait },
      )
      const { play, user } = payloadOf(result)
      const won = play.reward.type === 'POINTS' ? play.reward.value : 0
      this.#plays++
      this.#hidden += won - price
      this.setBalance(user.balance)
      const show = () => {
        this.#hide(-won)
        this.dispatchEvent(new CustomEvent('play', { detail: play }))
      }
      return { play, show }
    } catch (problem) {
      this.#hide(-price)
      this.#readAt = 0
      if (!isUnknownUser(problem)) void this.readUserAgain().catch(() => undefined)
      throw problem
    }
  }

  /**
   * Sends a document. Without a connection, and while the server is busy, it tries again.
   * @throws Problem
   */
  async ask<T>(
    document: string,
    variables: Record<string, unknown>,
    { key, onWait }: Sending = {},
  ): Promise<T> {
    let renewed = false
    for (let tries = 1; ; tries++) {
      try {
        return await request<T>({
          baseUrl: this.baseUrl,
          headers: {
            ...(this.apiKey && { 'x-api-key': this.apiKey }),
            ...(this.#token !== undefined && { 'x-user-token': this.#token }),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          document,
          variables,
        })
      } catch (problem) {
        if (isAboutToken(problem) && this.#provider && !renewed) {
          renewed = true
          await this.#renew()
          continue
        }
        if (!isPassing(problem) || (key === undefined && tries >= readTries)) throw problem
        onWait?.(problem)
        const wait = Math.min(longestPauseMs, 400 * 2 ** (tries - 1)) * (0.7 + 0.6 * Math.random())
        await pause(problem.retryAfter ? problem.retryAfter * 1000 : wait)
      }
    }
  }

  /** Asks the page for a token, once for all who need one at the same time. */
  #renew(): Promise<void> {
    this.#fresh ??= (async () => {
      const token = await this.#provider?.()
      if (!token) throw new Problem('MISSING_USER_TOKEN', 'tokenProvider returned no token', 401)
      this.#token = token
      this.#userId = subjectOf(token) ?? this.#userId
    })().finally(() => {
      this.#fresh = undefined
    })
    return this.#fresh
  }
}

type Viewer = { environment: string; partnerSlug: string }

const sessions = new Map<string, Session>()

/** The session of settings: the same for all widgets of one user. Null while something is missing. */
export const sessionOf = (settings: PartialSettings, needsKey: boolean): Session | null => {
  const { baseUrl, apiKey = '', userToken, userId = subjectOf(userToken) } = settings
  if (!baseUrl || (needsKey && !apiKey)) return null
  const name = JSON.stringify([baseUrl, apiKey, userId ?? ''])
  const session = sessions.get(name) ?? new Session({ baseUrl, apiKey })
  sessions.set(name, session)
  session.adopt(settings)
  return session
}
