/** The base of all games: price, odds, one play at a time, and its outcome. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { TesseraElement } from './base-element.ts'
import { burst } from './burst.ts'
import { coin } from './coin.ts'
import { gameQuery } from './documents.ts'
import { gameStyles } from './game-styles.ts'
import { prefersReducedMotion } from './motion.ts'
import type { FreePlays, GameType, Play, Reward } from './plays.ts'
import { isPrize, isSame, type Prize } from './prizes.ts'
import { isUnknownUser, Problem } from './problem.ts'
import type { Session } from './session.ts'
import { createSounds, type Sounds } from './sound.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'

export type Game = {
  name: string
  description: string
  price: number
  version: number
  config: { segments: number; rewards: Prize[] }
}

/** idle → asking (the request is sent, the game moves) → settling (the answer is there) → shown */
type Phase = 'idle' | 'asking' | 'settling' | 'shown'

/** The words of a game. */
type Words = { play: TextKey; playing: TextKey }

/** After this time without an answer, a note says that it takes longer. */
const lateMs = 4_000
/** The longest time of a timer. */
const longestMs = 2 ** 31 - 1
/** How the end of a free play is shown. */
const endStyle: Intl.DateTimeFormatOptions = {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
  ...{ hour: 'numeric', minute: '2-digit' },
}

export abstract class GameElement extends TesseraElement {
  static override styles = [theme, gameStyles]

  protected abstract readonly gameType: GameType
  protected abstract readonly words: Words
  protected game: Game | undefined
  protected phase: Phase = 'idle'
  protected sounds: Sounds = createSounds(false)
  /** The last play. */
  protected last: Play | undefined
  #note = ''
  #spoken = ''
  #isShort = false
  #playing: Promise<Play | undefined> | undefined
  /** Whether the button offers a free play. */
  #offersFree = false
  #ending: ReturnType<typeof setTimeout> | undefined

  /** The picture of the game. */
  protected abstract stage(game: Game): TemplateResult
  /** A placeholder until the game is loaded. */
  protected abstract emptyStage(): TemplateResult
  /** Starts the movement, before the answer arrives. */
  protected abstract start(): void
  /** Slows the movement down to the outcome. Resolves when it has stopped. */
  protected abstract settle(play: Play, game: Game, isCalm: boolean): Promise<void>
  /** Stops the movement without an outcome. */
  protected abstract stop(): void
  /** The outcome in words, for screen readers. */
  protected abstract describe(play: Play): string
  /** The sign of a prize in the list of odds. */
  protected signOf(_: Prize, __: Game): TemplateResult {
    return html`<span class="gem" aria-hidden="true"></span>`
  }
  /** What the picture does not show of the odds; empty if there is nothing. */
  protected hint(_: Game): string {
    return ''
  }

  protected override get follows(): readonly [] {
    return []
  }
  protected override get isLoaded(): boolean {
    return this.game !== undefined
  }
  protected override get showsBrand(): boolean {
    return true
  }

  protected override clear(): void {
    this.game = undefined
    this.last = undefined
    this.phase = 'idle'
  }

  protected override async load(session: Session): Promise<void> {
    const [game] = await Promise.all([
      this.#read(session),
      session.hasUser ? session.readUser() : undefined,
    ])
    if (!game) throw new Problem('NOT_FOUND', this.say.text('gameMissing'), 404)
    this.game = game
  }

  async #read(session: Session): Promise<Game | null> {
    const { gameType } = this
    return (await session.ask<{ game: Game | null }>(gameQuery, { gameType })).game
  }

  /** The game as it was drawn from, which may have changed since it was loaded. */
  async #drawnFrom(play: Play, session: Session, game: Game): Promise<Game> {
    if (play.gameVersionNumber === game.version) return game
    // If this fails, or the game is gone, the outcome is shown all the same.
    const changed = await this.#read(session).catch(() => null)
    if (changed) this.game = changed
    return this.game ?? game
  }

  get #freePlays(): FreePlays | undefined {
    return this.session?.freePlaysOf(this.gameType)
  }

  get #missingPoints(): boolean {
    const { balance } = this.session ?? {}
    return balance !== undefined && balance < (this.game?.price ?? 0) && !this.#freePlays
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    clearTimeout(this.#ending)
    const leftMs = Date.parse(this.#freePlays?.nextEndsAt ?? '') - Date.now()
    if (leftMs < longestMs) this.#ending = setTimeout(() => void this.#readFreePlays(), leftMs)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#ending)
  }

  async #readFreePlays(): Promise<void> {
    await this.session?.readUserAgain().catch(() => undefined)
    this.requestUpdate()
  }

  /**
   * Plays once: sends the request, moves, and stops at the outcome in the answer. Returns the running play if there is
   * one. Resolves with the play when the game shows its outcome, or with undefined if there was no play.
   */
  play(): Promise<Play | undefined> {
    this.#playing ??= this.#play().finally(() => {
      this.#playing = undefined
    })
    return this.#playing
  }

  async #play(): Promise<Play | undefined> {
    const { session, game } = this
    if (!session || !game || !session.hasUser) return undefined
    if (this.#missingPoints) {
      this.#refuse(game)
      return undefined
    }
    const isFree = this.#freePlays !== undefined
    // Points are spent only after the button has said so.
    if (this.#offersFree && !isFree) {
      await this.#readFreePlays()
      return undefined
    }
    this.sounds = createSounds(this.settings.sound)
    this.last = undefined
    this.#set('asking', '')
    this.emit('play-start', { gameType: this.gameType })
    const isCalm = prefersReducedMotion()
    if (!isCalm) this.start()
    const late = setTimeout(() => this.#set('asking', this.say.text('late')), lateMs)
    try {
      const price = isFree ? 0 : game.price
      const { play, show } = await session.play(this.gameType, price, (problem) =>
        this.#set('asking', this.explain(problem)),
      )
      clearTimeout(late)
      const drawnFrom = await this.#drawnFrom(play, session, game)
      this.#set('settling', '')
      await this.updateComplete
      await this.settle(play, drawnFrom, isCalm)
      show()
      this.#show(play, isCalm)
      return play
    } catch (error) {
      clearTimeout(late)
      this.stop()
      this.#refuseBy(error instanceof Problem ? error : new Problem('FAILED', String(error)), game)
      return undefined
    }
  }

  #set(phase: Phase, note: string): void {
    this.phase = phase
    this.#note = note
    if (note || phase === 'asking') this.#spoken = note
    this.requestUpdate()
  }

  #show(play: Play, isCalm: boolean): void {
    const { reward } = play
    const isWin = isPrize(reward)
    const balance = this.session?.balance ?? 0
    this.last = play
    this.#set('shown', '')
    const words = { label: reward.label, balance: this.say.points(balance) }
    this.#spoken = `${this.describe(play)} ${this.say.text(isWin ? 'wonLong' : 'lostLong', words)}`
    this.sounds[isWin ? 'win' : 'lose']()
    if (isWin && !isCalm) void this.updateComplete.then(() => this.#celebrate(reward))
    this.emit('play', { play, balance })
  }

  #celebrate({ tier }: Reward): void {
    const canvas = this.renderRoot.querySelector('canvas')
    if (canvas) burst(canvas, { EPIC: 160, RARE: 90, COMMON: 40 }[tier])
  }

  #refuse(game: Game): void {
    const { say, session } = this
    this.#isShort = true
    const values = {
      price: say.points(game.price),
      balance: say.points(session?.balance ?? 0),
    }
    this.#set('idle', say.text('notEnoughLong', values))
    this.emit('error', { code: 'INSUFFICIENT_POINTS', message: this.#note, status: 402 })
  }

  #refuseBy(problem: Problem, game: Game): void {
    const isPoor = problem.code === 'INSUFFICIENT_POINTS' || isUnknownUser(problem)
    if (isPoor) {
      this.#refuse(game)
      return
    }
    const isUnknown =
      problem.code === 'IDEMPOTENT_OUTCOME_UNKNOWN' || problem.code === 'IDEMPOTENT_ANSWER_NOT_KEPT'
    const explained = this.explain(problem)
    const text = isUnknown
      ? this.say.text('unknownOutcome')
      : explained === this.say.text('failed')
        ? this.say.text('playFailed')
        : explained
    this.#set('idle', text)
    this.fail(problem)
  }

  protected override content(): TemplateResult {
    const { game, phase } = this
    if (!game) return html``
    if (this.#isShort && !this.#missingPoints && phase === 'idle') {
      this.#isShort = false
      this.#note = ''
    }
    return html`<section class="card game ${phase}" part="card" aria-label=${game.name}>
      <header>
        <div>
          <h2 class="title" part="title">${game.name}</h2>
          <p class="soft">${game.description}</p>
        </div>
        ${this.#balance()}
      </header>
      <div class="stage" part="stage">
        ${this.stage(game)}
        <canvas aria-hidden="true"></canvas>
        ${this.#prize()}
      </div>
      <div class="controls">
        ${this.#button(game)}
        <p class="note" part="note" aria-hidden="true">${this.#note || this.#price(game)}</p>
        <p class="hidden" role="status" aria-live="polite">${this.#spoken}</p>
      </div>
      ${this.#odds(game)}
    </section>`
  }

  #balance() {
    const { balance } = this.session ?? {}
    if (balance === undefined) return nothing
    return html`<span class="balance" part="balance">
      ${coin}<span class="hidden">${this.say.text('yourBalance')}: </span>
      <b class="number">${this.say.number(balance)}</b>
    </span>`
  }

  /** What a play costs, or until when it is free. */
  #price(game: Game): string {
    const { say } = this
    const free = this.#freePlays
    const price = say.text('price', { points: say.points(game.price) })
    if (!free) return price
    if (!free.nextEndsAt) return say.text('freeThen', { price })
    return say.text('freeUntil', { date: say.date(free.nextEndsAt, endStyle), price })
  }

  #button(game: Game) {
    const { say, phase, words } = this
    const free = this.#freePlays
    this.#offersFree = free !== undefined
    const hasUser = this.session?.hasUser === true
    const isRunning = phase === 'asking' || phase === 'settling'
    const isOff = isRunning || !hasUser || this.#missingPoints
    const label = !hasUser
      ? say.text('signInToPlay')
      : isRunning
        ? say.text(words.playing)
        : this.#missingPoints
          ? say.text('notEnough', { price: say.points(game.price) })
          : free
            ? say.text('playFree', { count: free.count })
            : say.text(phase === 'shown' ? 'again' : words.play)
    // A disabled button would lose the focus during a play.
    return html`<button class="play" part="button" aria-disabled=${isOff} @click=${() => void this.play()}>${label}</button>`
  }

  #prize() {
    const { last, phase } = this
    if (phase !== 'shown' || !last) return nothing
    const { reward } = last
    const isWin = isPrize(reward)
    return html`<div class="prize ${isWin ? reward.tier.toLowerCase() : 'none'}" part="prize" aria-hidden="true">
      ${isWin ? html`<small>${this.say.text(reward.tier.toLowerCase() as TextKey)}</small>` : nothing}
      <b>${this.say.text(isWin ? 'won' : 'lost', { label: reward.label })}</b>
    </div>`
  }

  #odds(game: Game) {
    const { say, last, phase } = this
    const shown = phase === 'shown' ? last?.reward : undefined
    const { rewards } = game.config
    const hint = this.hint(game)
    return html`<div class="odds" part="odds">
      <h3>${say.text('odds')}</h3>
      <ul>
        ${rewards.map(
          (reward) => html`<li
            class="${isPrize(reward) ? reward.tier.toLowerCase() : 'none'} ${shown && isSame(shown, reward) ? 'drawn' : ''}"
          >
            ${this.signOf(reward, game)}
            <span class="what">${reward.label}${
              isPrize(reward)
                ? html`<span class="hidden">, ${say.text(reward.tier.toLowerCase() as TextKey)}</span>`
                : nothing
            }</span>
            <span class="number">${say.percent(reward.probability)}</span>
            <meter aria-hidden="true" min="0" max="1" .value=${reward.probability}></meter>
          </li>`,
        )}
      </ul>
      ${hint ? html`<p class="hint">${hint}</p>` : nothing}
    </div>`
  }

  protected override skeleton(): TemplateResult {
    return html`<div class="game">
      <header><div class="bone heading"></div></header>
      <div class="stage">${this.emptyStage()}</div>
      <div class="controls"><div class="bone key"></div></div>
      <div class="odds">${[1, 2, 3, 4].map(() => html`<div class="bone entry"></div>`)}</div>
    </div>`
  }
}
