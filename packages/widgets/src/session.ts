/** A user at a server. All widgets with the same settings share it. */
import { backoffMs, sleep } from '../../client/src/retry.ts'
import type { Brand } from './brand.ts'
import { playMutation, userQuery, viewerQuery } from './documents.ts'
import type { FreePlays, GameType, Play, Wallet } from './plays.ts'
import { isAboutToken, isPassing, isUnknownUser, Problem } from './problem.ts'
import { request } from './request.ts'
import type { PartialSettings } from './settings.ts'
import type { Part, UserState } from './user-state.ts'
import type { UserStream } from './user-stream.ts'

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

/** A balance that is older than this is read again. */
const freshMs = 2_000
/** The number of attempts for requests that change nothing. */
const readTries = 4

type Sending = {
  /** An idempotency key: the API runs the request once. It is repeated until it is answered. */
  key?: string
  /** Called before each pause between two attempts. */
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
  #viewer: Promise<ViewerAnswer['viewer']> | undefined
  #known: number | undefined
  #freePlays: FreePlays[] = []
  /** The part of the balance that games do not show yet. */
  #hidden = 0
  #readAt = 0
  /** Counts the plays that were sent or answered, and the states that were shown. */
  #updates = 0
  /** The number of plays that no game has shown yet. */
  #unshown = 0
  /** A state of the user that came before a game has shown what it has won. */
  #early: UserState | null | undefined
  readonly #followers = new Set<readonly Part[]>()
  #stream: UserStream | undefined
  #loading: Promise<void> | undefined
  /** Whether each change of the user arrives by itself. */
  isLive = false

  constructor({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
    super()
    this.baseUrl = baseUrl
    this.apiKey = apiKey
    document.addEventListener('visibilitychange', this.#look)
    addEventListener('online', this.#look)
  }

  adopt({ userId, userToken, tokenProvider }: PartialSettings): void {
    const isNewProvider = this.#provider !== undefined && this.#provider !== tokenProvider
    this.#provider = tokenProvider
    // Another provider may be for another user.
    if (userToken !== undefined || isNewProvider) {
      if (this.#token !== userToken || isNewProvider) this.#stream?.restart()
      this.#token = userToken
    }
    this.#userId = userId ?? subjectOf(userToken) ?? (isNewProvider ? undefined : this.#userId)
    if (this.#followers.size > 0) this.#follow()
  }

  /** Whether there is a user, or a provider that can name one. */
  get hasUser(): boolean {
    return this.#userId !== undefined || this.#provider !== undefined
  }

  /** Whether there is a token of the user, or a provider of tokens. What has a value needs one. */
  get hasToken(): boolean {
    return this.#token !== undefined || this.#provider !== undefined
  }

  /** Whether a game has won something that it does not show yet. */
  get isHiding(): boolean {
    return this.#unshown > 0
  }

  /** Whether changes of the user arrive by themselves, or are going to, so that nothing needs to be read again. */
  get isFollowed(): boolean {
    return this.hasToken && this.#stream?.works === true
  }

  /** The lists that widgets follow; null if no widget follows the user. */
  get followedParts(): ReadonlySet<Part> | null {
    return this.#followers.size > 0 ? new Set([...this.#followers].flat()) : null
  }

  /** Follows the balance and some lists of the user for a widget, until the returned function is called. */
  follow(parts: readonly Part[]): () => void {
    const own = [...parts]
    this.#followers.add(own)
    this.#follow()
    return () => {
      this.#followers.delete(own)
      this.#stream?.change()
    }
  }

  #follow(): void {
    if (!this.hasToken) return
    this.#stream?.change()
    this.#loading ??= import('./user-stream.ts').then(
      ({ createUserStream }) => {
        this.#stream = createUserStream(this)
        this.#stream.change()
      },
      () => {
        this.#loading = undefined
      },
    )
  }

  /** Takes a state of the user from the stream. What a game has won is not shown before the game shows it. */
  take(state: UserState | null): void {
    this.isLive = true
    if (this.isHiding) this.#early = state
    else this.#show(state)
  }

  #show(state: UserState | null): void {
    this.#updates++
    this.#readAt = Date.now()
    this.setWallet(state)
    if (state) this.dispatchEvent(new CustomEvent('state', { detail: state }))
  }

  /** A game has shown its outcome, or there is none. */
  #reveal(points: number): void {
    this.#unshown--
    this.#hide(points)
    const early = this.#early
    if (early === undefined || this.isHiding) return
    this.#early = undefined
    this.#show(early)
  }

  /** The token of the user. May ask the provider for the first one. */
  async token(): Promise<string | undefined> {
    if (this.#token === undefined && this.#provider) await this.#renew()
    return this.#token
  }

  /** Gets another token than one that was refused. Resolves with false if there is no provider. */
  async renewToken(refused: string | undefined): Promise<boolean> {
    if (!this.#provider) return false
    // Another call that was refused may have renewed it meanwhile.
    if (this.#token === refused) await this.#renew()
    return true
  }

  /** The user's external id. May ask the provider for a token first. */
  async userId(): Promise<string> {
    if (this.#userId === undefined && this.#provider) await this.#renew()
    if (this.#userId === undefined)
      throw new Problem('NO_USER', 'There is neither user-id nor user-token')
    return this.#userId
  }

  isUser(externalId: string): boolean {
    return this.#userId === externalId
  }

  /** The balance as the games show it. */
  get balance(): number | undefined {
    return this.#known === undefined ? undefined : this.#known - this.#hidden
  }

  /** Reads the balance unless it was just read. Concurrent calls share one request. */
  readUser(): Promise<void> {
    if (Date.now() - this.#readAt < freshMs) return Promise.resolve()
    this.#user ??= this.#readUser().finally(() => {
      this.#user = undefined
    })
    return this.#user
  }

  /** Reads the balance after a change. Concurrent calls share one request. */
  readUserAgain(): Promise<void> {
    // A running read may have missed the change.
    this.#next ??= Promise.resolve(this.#user)
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#readAt = 0
        return this.readUser()
      })
    return this.#next
  }

  /** Reads the balance again in the background, if a widget shows it and it does not arrive by itself. */
  refreshBalance(): void {
    if (this.#known !== undefined && !this.isLive) void this.readUserAgain().catch(() => undefined)
  }

  /** Points may have been awarded while the user was elsewhere. */
  readonly #look = () => {
    if (!document.hidden && this.#known !== undefined && !this.isFollowed)
      void this.readUser().catch(() => undefined)
  }

  async #readUser(): Promise<void> {
    const externalId = await this.userId()
    const updates = this.#updates
    const { user } = await this.ask<{ user: Wallet | null }>(userQuery, { externalId })
    // What happened in the meantime has a newer balance.
    if (updates !== this.#updates) return
    this.#readAt = Date.now()
    this.setWallet(user)
  }

  setBalance(balance: number): void {
    this.#known = balance
    this.#announce()
  }

  /** Takes what the user can play with; null for a user whom the API does not know. */
  setWallet(wallet: Wallet | null): void {
    this.#freePlays = wallet?.freePlays ?? []
    this.setBalance(wallet?.balance ?? 0)
  }

  /** The free plays of a game that can be used now; undefined if there are none. */
  freePlaysOf(game: GameType): FreePlays | undefined {
    const hasEnded = (at: string | null) => at !== null && Date.parse(at) <= Date.now()
    return this.#freePlays.find(
      ({ gameType, nextEndsAt }) => gameType === game && !hasEnded(nextEndsAt),
    )
  }

  #hide(points: number): void {
    this.#hidden += points
    this.#announce()
  }

  #announce(): void {
    this.dispatchEvent(new Event('balance'))
  }

  #askViewer(): Promise<ViewerAnswer['viewer']> {
    this.#viewer ??= this.ask<ViewerAnswer>(viewerQuery, {}).then(({ viewer }) => viewer)
    this.#viewer.catch(() => {
      this.#viewer = undefined
    })
    return this.#viewer
  }

  /** The partner's slug and the environment of the key, which identify public pages. */
  async viewer(): Promise<{ environment: string; partnerSlug: string }> {
    const { environment, partner } = await this.#askViewer()
    return { environment, partnerSlug: partner.slug }
  }

  /** The brand of the partner. Undefined without a key, and if it cannot be read. */
  async brand(): Promise<Brand | undefined> {
    if (!this.apiKey) return undefined
    return this.#askViewer().then(
      ({ partner }) => partner.brand,
      () => undefined,
    )
  }

  /**
   * Plays once. Call the returned `show` when the game shows the outcome: it adds the prize to the balance.
   * @param price what the play is expected to cost; 0 for a free one
   * @throws Problem
   */
  async play(
    gameType: GameType,
    price: number,
    onWait: (problem: Problem) => void,
  ): Promise<{ play: Play; show: () => void }> {
    const key = crypto.randomUUID()
    const externalId = await this.userId()
    this.#updates++
    this.#unshown++
    this.#hide(price)
    try {
      type Data = { result: Result<{ play: Play; user: Wallet }> }
      const { result } = await this.ask<Data>(
        playMutation,
        { externalId, gameType },
        { key, onWait },
      )
      const { play, user } = payloadOf(result)
      const won = play.reward.type === 'POINTS' ? play.reward.value : 0
      this.#updates++
      this.#hidden += won - price
      this.setWallet(user)
      const show = () => {
        this.#reveal(-won)
        this.dispatchEvent(new CustomEvent('play', { detail: play }))
      }
      return { play, show }
    } catch (problem) {
      this.#reveal(-price)
      this.#readAt = 0
      if (!isUnknownUser(problem)) void this.readUserAgain().catch(() => undefined)
      throw problem
    }
  }

  /**
   * Sends a document. Retries without a connection, and while the server is busy.
   * @throws Problem
   */
  async ask<T>(
    document: string,
    variables: Record<string, unknown>,
    { key, onWait }: Sending = {},
  ): Promise<T> {
    let renewed = false
    for (let tries = 1; ; tries++) {
      const token = this.#token
      try {
        return await request<T>({
          baseUrl: this.baseUrl,
          headers: {
            ...(this.apiKey && { 'x-api-key': this.apiKey }),
            ...(token !== undefined && { 'x-user-token': token }),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          document,
          variables,
        })
      } catch (problem) {
        if (isAboutToken(problem) && this.#provider && !renewed) {
          renewed = true
          await this.renewToken(token)
          continue
        }
        if (!isPassing(problem) || (key === undefined && tries >= readTries)) throw problem
        onWait?.(problem)
        const waitMs = (problem.retryAfter ?? 0) * 1000
        await sleep(waitMs || backoffMs(tries - 1), undefined, waitMs === 0)
      }
    }
  }

  async #ownToken(): Promise<string | undefined> {
    try {
      return await this.#provider?.()
    } catch (cause) {
      throw new Problem('TOKEN_PROVIDER_FAILED', `tokenProvider failed: ${cause}`)
    }
  }

  /** Asks the page for a token. Concurrent calls share one request. */
  #renew(): Promise<void> {
    this.#fresh ??= (async () => {
      const token = await this.#ownToken()
      if (!token) throw new Problem('MISSING_USER_TOKEN', 'tokenProvider returned no token', 401)
      this.#token = token
      this.#userId = subjectOf(token) ?? this.#userId
      this.#stream?.change()
    })().finally(() => {
      this.#fresh = undefined
    })
    return this.#fresh
  }
}

type ViewerAnswer = { viewer: { environment: string; partner: { slug: string; brand: Brand } } }

const sessions = new Map<string, Session>()

/** The session for these settings, shared by all widgets of a user. Null while a setting is missing. */
export const sessionOf = (settings: PartialSettings, needsKey: boolean): Session | null => {
  const { baseUrl, apiKey = '', userToken, userId = subjectOf(userToken) } = settings
  if (!baseUrl || (needsKey && !apiKey)) return null
  const name = JSON.stringify([baseUrl, apiKey, userId ?? ''])
  const session = sessions.get(name) ?? new Session({ baseUrl, apiKey })
  sessions.set(name, session)
  session.adopt(settings)
  return session
}
