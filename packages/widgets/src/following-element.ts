/**
 * The base of widgets that show what changes by what the user does anywhere. They read once, and then follow the user. Where that
 * is not possible, they read again when the page is shown, and after what happens on the page.
 */
import type { PropertyValues } from 'lit'
import { TesseraElement } from './base-element.ts'
import type { Session } from './session.ts'
import type { Part, UserState } from './user-state.ts'

/** How often times on the screen are drawn again. */
const tickMs = 5_000
/** Goals are completed within milliseconds of what completes them. */
const settleMs = 400

export abstract class FollowingElement extends TesseraElement {
  #reads = 0
  /** When it was last read, or told. */
  protected readAt = 0
  /** The last state that came while something was read. */
  #early: UserState | undefined
  #balance: number | undefined
  #clock: ReturnType<typeof setInterval> | undefined
  #soon: ReturnType<typeof setTimeout> | undefined
  #isReadNeeded = false

  /** Reads, and returns what shows it. @throws Problem */
  protected abstract read(session: Session): Promise<() => void>
  /** Shows a state of the user. Returns false if there is something new in it, which has to be read. */
  protected abstract take(state: UserState): boolean
  protected abstract override get follows(): readonly Part[]
  /** Whether an action is running, which reads at its end. */
  protected get isBusy(): boolean {
    return false
  }
  /** The time at which something that is shown changes by itself. */
  protected get nextChangeAt(): number {
    return Number.POSITIVE_INFINITY
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock = setInterval(this.#tick, tickMs)
    document.addEventListener('visibilitychange', this.#catchUp)
    addEventListener('online', this.#catchUp)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    clearTimeout(this.#soon)
    this.#isReadNeeded = false
    document.removeEventListener('visibilitychange', this.#catchUp)
    removeEventListener('online', this.#catchUp)
  }

  protected override async load(session: Session): Promise<void> {
    const read = ++this.#reads
    this.readAt = Date.now()
    this.#early = undefined
    const show = await this.read(session)
    if (read !== this.#reads || session !== this.session) return
    show()
    this.takeEarly()
  }

  /** Shows the state that came meanwhile, which may be newer than what was read. */
  protected takeEarly(): void {
    const early = this.#early
    this.#early = undefined
    if (early) this.followed(early)
  }

  protected override followed(state: UserState): void {
    if (!this.isLoaded || this.isBusy) {
      this.#early = state
      return
    }
    this.readAt = Date.now()
    // A read that is under way may be older.
    if (this.take(state)) this.#reads++
    else this.readSoon(0, true)
    this.requestUpdate()
  }

  readonly #tick = () => {
    if (document.hidden || !this.isLoaded) return
    if (this.nextChangeAt <= Date.now() && Date.now() - this.readAt > tickMs) this.readSoon(0, true)
    this.requestUpdate()
  }

  /** Reads what happened while the page was hidden, or had no connection. */
  readonly #catchUp = () => {
    if (document.hidden || !this.isLoaded) return
    if (!this.session?.isFollowed && Date.now() - this.readAt > tickMs) this.readSoon()
    this.requestUpdate()
  }

  /**
   * Reads again in the background. If that fails, the current content stays.
   * @param isNeeded whether it is not enough to follow the user
   */
  protected readSoon(afterMs = settleMs, isNeeded = false): void {
    // What has changed is read even if something else only may have changed.
    if (this.#isReadNeeded && !isNeeded) return
    this.#isReadNeeded = isNeeded
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => {
      this.#isReadNeeded = false
      const { session } = this
      // What a game has won is not shown before the game shows it.
      if (!session || !this.isLoaded || session.isHiding) return
      if (session.isLive && !isNeeded) return
      this.load(session).then(
        () => this.requestUpdate(),
        () => undefined,
      )
      // What counted may also have given points.
      if (!session.isLive) session.refreshBalance()
    }, afterMs)
  }

  protected override played(): void {
    this.readSoon()
  }
  protected override rewarded(): void {
    if (!this.isBusy) this.readSoon()
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { balance } = this.session ?? {}
    if (balance === this.#balance) return
    // Points came or went: something happened that may count.
    if (this.#balance !== undefined) this.readSoon()
    this.#balance = balance
  }
}
