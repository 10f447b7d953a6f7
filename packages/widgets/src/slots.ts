/** `<tessera-slots>`: three reels. Each prize has a symbol, and they show it three times exactly when that prize is won. */
import { html, type TemplateResult } from 'lit'
import { type Game, GameElement } from './game-element.ts'
import './game-texts.ts'
import { animate, easeOutBack, everyFrame, wait } from './motion.ts'
import type { Play } from './plays.ts'
import { isSame, type Prize } from './prizes.ts'
import { reelsOf, symbolPrizesOf } from './slots-reels.ts'
import { slotsStyles } from './slots-styles.ts'
import { symbol, symbolName } from './symbols.ts'

/** The most symbols on a strip. If a game has more, a strip has the first ones and the drawn one. */
const mostOnStrip = 12
/** Symbols per second while waiting for the answer. */
const cruising = 16
const rampSeconds = 0.35
/** The delay between the stops of two reels. */
const pauseMs = 420
/** How far a reel overshoots before it stops. */
const overshoot = 0.6

/** A row of lamps. Two rows show every other lamp each, so only two layers are animated. */
const lamps = html`<div>${[0, 1, 2, 3, 4, 5, 6].map(() => html`<i></i>`)}</div>`

/** `position` is the number of symbols that have passed the middle. */
type Reel = { position: number; speed: number; isFree: boolean; strip: number[] }

const stripOf = (symbols: number) =>
  Array.from({ length: Math.min(symbols, mostOnStrip) }, (_, i) => i)

/** The number of symbols. There are enough for all prizes. */
const symbolsOf = ({ config: { segments, rewards } }: Game) =>
  Math.max(segments, symbolPrizesOf(rewards).length)

const shownBy = (play: Play, game: Game) =>
  reelsOf(play, symbolPrizesOf(game.config.rewards), symbolsOf(game))

export class SlotsElement extends GameElement {
  static override styles = [...GameElement.styles, slotsStyles]
  protected override readonly gameType = 'COSMIC_SLOTS'
  protected override readonly words = { play: 'pull', playing: 'pulling' } as const
  #reels: Reel[] = []
  #strips: HTMLElement[] = []
  #leave: (() => void) | undefined

  #prepare(game: Game): Reel[] {
    const symbols = symbolsOf(game)
    if (this.#reels[0]?.strip.length !== Math.min(symbols, mostOnStrip))
      this.#reels = [0, 1, 2].map((i) => ({
        position: i * 2,
        speed: 0,
        isFree: false,
        strip: stripOf(symbols),
      }))
    return this.#reels
  }

  protected override stage(game: Game): TemplateResult {
    const { last } = this
    const isWin = this.phase === 'shown' && last && new Set(shownBy(last, game)).size === 1
    return html`<div class="machine ${isWin ? 'three' : ''}" aria-hidden="true">
      <div class="lamps">${lamps}${lamps}</div>
      <div class="windows">
        ${this.#prepare(game).map(
          ({ strip }) => html`<div class="window">
            <div class="strip">
              ${[...strip, ...strip.slice(0, 3)].map((index) => html`<div class="cell">${symbol(index)}</div>`)}
            </div>
          </div>`,
        )}
        <span class="line"></span>
      </div>
    </div>`
  }

  protected override emptyStage(): TemplateResult {
    return html`<div class="bone square"></div>`
  }

  protected override updated(): void {
    this.#strips = [...this.renderRoot.querySelectorAll<HTMLElement>('.strip')]
    for (const [i, reel] of this.#reels.entries()) this.#move(i, reel.position)
  }

  /** Shows a position: its symbol in the middle, between its neighbors. */
  #move(index: number, position: number): void {
    const reel = this.#reels[index]
    if (!reel) return
    const { length } = reel.strip
    if (Math.floor(position) !== Math.floor(reel.position) && index === 0) this.sounds.tick()
    reel.position = position
    // The window shows three cells: the previous one, that of the position, and the next one. Strips run downwards.
    const first = (((-position - 1) % length) + length) % length
    const strip = this.#strips[index]
    strip?.style.setProperty('transform', `translateY(${(-first * 100) / 3}%)`)
    strip?.parentElement?.classList.toggle('fast', reel.speed > cruising / 2)
  }

  protected override start(): void {
    this.#leave?.()
    for (const reel of this.#reels) Object.assign(reel, { speed: 0, isFree: true })
    this.#leave = everyFrame((seconds) => {
      for (const [i, reel] of this.#reels.entries()) {
        if (!reel.isFree) continue
        reel.speed = Math.min(cruising, reel.speed + (cruising / rampSeconds) * seconds)
        this.#move(i, reel.position + reel.speed * seconds)
      }
    })
  }

  protected override stop(): void {
    this.#leave?.()
    this.#leave = undefined
    for (const [i, reel] of this.#reels.entries()) {
      Object.assign(reel, { isFree: false, speed: 0 })
      this.#move(i, Math.round(reel.position))
    }
  }

  protected override async settle(play: Play, game: Game, isCalm: boolean): Promise<void> {
    const reels = shownBy(play, game)
    for (const [i, drawn] of reels.entries()) this.#place(i, drawn)
    // A placed symbol has to be rendered before it passes the window.
    this.requestUpdate()
    await this.updateComplete
    if (isCalm) {
      for (const [i, drawn] of reels.entries()) this.#move(i, -this.#indexOf(i, drawn))
      return
    }
    await Promise.all(reels.map((drawn, i) => this.#land(i, drawn)))
    this.stop()
  }

  /** Puts the drawn symbol on the strip if it is missing. */
  #place(index: number, drawn: number): void {
    const strip = this.#reels[index]?.strip
    if (strip && !strip.includes(drawn)) strip[drawn % strip.length] = drawn
  }

  #indexOf(index: number, drawn: number): number {
    return this.#reels[index]?.strip.indexOf(drawn) ?? 0
  }

  async #land(index: number, drawn: number): Promise<void> {
    await wait(index * pauseMs)
    const reel = this.#reels[index]
    if (!reel) return
    reel.isFree = false
    const { length } = reel.strip
    const from = reel.position
    // The symbol with the index `n` is in the middle at the positions −n, −n + length, …
    const rest = ((-this.#indexOf(index, drawn) % length) + length) % length
    const target = Math.ceil((from + length - rest) / length) * length + rest
    const distance = target - from
    // The curve starts at the current speed: its slope at 0 is 3 plus the overshoot.
    await animate(((distance * (3 + overshoot)) / cruising) * 1000, (progress) => {
      reel.speed = cruising * (1 - progress) ** 2
      this.#move(index, from + distance * easeOutBack(progress, overshoot))
    })
    reel.speed = 0
    this.#move(index, target)
  }

  protected override describe(play: Play): string {
    const reels = this.game ? shownBy(play, this.game) : []
    const symbols = reels.map((index) => symbolName(index, this.say)).join(', ')
    return this.say.text('reelsShow', { symbols })
  }

  protected override signOf(reward: Prize, { config: { rewards } }: Game): TemplateResult {
    const index = symbolPrizesOf(rewards).findIndex((prize) => isSame(prize, reward))
    return html`<span class="three-of" aria-hidden="true">${
      index < 0 ? html`<span class="gem"></span>` : [1, 2, 3].map(() => symbol(index))
    }</span>`
  }
}
