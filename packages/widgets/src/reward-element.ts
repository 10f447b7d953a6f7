/** The base of goals and badges, which change by what the user does anywhere: read again, and rewards that are claimed. */
import type { PropertyValues } from 'lit'
import { TesseraElement } from './base-element.ts'
import { rewardText } from './goal-card.ts'
import { claimGrants, type Grant } from './goal-data.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'

/** The interval at which a visible page reads again. */
const readEveryMs = 30_000
const tickMs = 5_000
/** Goals are completed within milliseconds of what completes them. */
const settleMs = 400

const refusals: Record<string, TextKey> = {
  GOAL_JOINED: 'joinFailed',
  GOAL_NOT_OPEN: 'joinFailed',
  GOAL_NOT_ACTIVE: 'joinFailed',
  GOAL_NOT_FOUND: 'joinFailed',
  USER_NOT_FOUND: 'joinFailed',
  GRANT_NOT_ACTIVE: 'rewardGone',
  GRANT_NOT_FOUND: 'rewardGone',
}

export abstract class RewardElement extends TesseraElement {
  /** The text of the last action or completion, for screen readers. */
  protected said = ''
  /** What was acted on, which shows the text, too. */
  protected saidAt: string | undefined
  /** What an action is running for. */
  protected running: string | undefined
  #reads = 0
  /** When it was last read. */
  protected readAt = 0
  #balance: number | undefined
  #clock: ReturnType<typeof setInterval> | undefined
  #soon: ReturnType<typeof setTimeout> | undefined

  /** Reads, and returns what shows it. @throws Problem */
  protected abstract read(session: Session): Promise<() => void>
  /** The time at which something that is shown changes by itself. */
  protected get nextChangeAt(): number {
    return Number.POSITIVE_INFINITY
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock = setInterval(this.#tick, tickMs)
    document.addEventListener('visibilitychange', this.#tick)
    addEventListener('online', this.#catchUp)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    clearTimeout(this.#soon)
    document.removeEventListener('visibilitychange', this.#tick)
    removeEventListener('online', this.#catchUp)
  }

  protected override async load(session: Session): Promise<void> {
    const read = ++this.#reads
    this.readAt = Date.now()
    const show = await this.read(session)
    if (read === this.#reads && session === this.session) show()
  }

  readonly #tick = () => {
    if (document.hidden || !this.isLoaded) return
    const isOld = Date.now() - this.readAt > readEveryMs
    if (isOld || (this.nextChangeAt <= Date.now() && Date.now() - this.readAt > tickMs))
      this.readSoon(0)
    this.requestUpdate()
  }

  /** Reads what happened without a connection. */
  readonly #catchUp = () => {
    if (this.isLoaded) this.readSoon()
  }

  /** Reads again in the background. If that fails, the current content stays. */
  protected readSoon(afterMs = settleMs): void {
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => {
      const { session } = this
      // What a game has won is not shown before the game shows it.
      if (!session || !this.isLoaded || session.isHiding) return
      this.load(session).then(
        () => this.requestUpdate(),
        () => undefined,
      )
      // What counted may also have given points.
      session.refreshBalance()
    }, afterMs)
  }

  protected override played(): void {
    this.readSoon()
  }
  protected override rewarded(): void {
    if (this.running === undefined) this.readSoon()
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { balance } = this.session ?? {}
    if (balance === this.#balance) return
    // Points came or went: something happened that may count.
    if (this.#balance !== undefined) this.readSoon()
    this.#balance = balance
  }

  /** Runs one action at a time, says what became of it, and reads again. */
  protected async act(name: string, action: (session: Session) => Promise<string>): Promise<void> {
    const { session } = this
    if (!session || this.running !== undefined) return
    const focused = this.shadowRoot?.activeElement
    this.running = name
    this.saidAt = name
    this.#say('')
    try {
      this.#say(await action(session))
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('FAILED', String(error))
      const text = refusals[problem.code]
      this.#say(text ? this.say.text(text) : this.explain(problem))
      this.fail(problem)
    }
    await this.load(session).catch(() => undefined)
    session.dispatchEvent(new Event('reward'))
    this.running = undefined
    this.requestUpdate()
    await this.updateComplete
    // A button that is gone or has moved leaves the focus with what it belonged to.
    if (focused && !this.shadowRoot?.activeElement)
      (this.shadowRoot?.getElementById(name) as HTMLElement | null)?.focus()
  }

  #say(text: string): void {
    this.said = text
    this.requestUpdate()
  }

  protected readonly onWait = (problem: Problem): void => this.#say(this.explain(problem))

  /** Claims grants, and returns what to say. */
  protected async claim(session: Session, grants: Grant[]): Promise<string> {
    if (grants.length === 0) return this.say.text('rewardGone')
    const claimed = await claimGrants(session, grants, this.onWait)
    if (claimed.length < grants.length) session.refreshBalance()
    if (claimed.length === 0) return this.say.text('rewardHad')
    const balance = session.balance ?? 0
    for (const grant of claimed) this.emit('grant-claim', { grant, balance })
    const names = claimed.map(({ reward, points }) => rewardText(this.say, { ...reward, points }))
    return this.say.text('rewardClaimed', { reward: names.join(', ') })
  }
}
