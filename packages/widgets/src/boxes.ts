/** `<tessera-boxes>`: a light jumps between the boxes until the server has answered which one opens. */
import { html, nothing, svg, type TemplateResult } from 'lit'
import { boxesStyles } from './boxes-styles.ts'
import { type Game, GameElement } from './game-element.ts'
import { wait } from './motion.ts'
import type { Play } from './plays.ts'
import { prizeArt } from './prize-art.ts'
import { isPrize, type Prize } from './prizes.ts'

/** How long the light stays on a box while waiting for the answer. */
const hopMs = 110
/** The number of jumps after the answer. Each is slower than the previous one. */
const lastHops = 9

const body = svg`<path class="back" d="M14 46h72v38a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6z"></path>`
const front = svg`<path class="front" d="M14 46h72v38a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6z"></path>
  <path class="shade" d="M50 46h36v38a6 6 0 0 1-6 6H50z"></path>
  <path class="band" d="M43 46h14v44H43z"></path>`
const lid = svg`<g class="lid"><path class="top" d="M12 30h76a4 4 0 0 1 4 4v12a3 3 0 0 1-3 3H11a3 3 0 0 1-3-3V34a4 4 0 0 1 4-4z"></path>
  <path class="shade" d="M50 30h38a4 4 0 0 1 4 4v12a3 3 0 0 1-3 3H50z"></path>
  <path class="band" d="M43 30h14v19H43z"></path>
  <path class="bow" d="M50 30c-6-2-20-4-20-12 0-9 14-8 20 6 6-14 20-15 20-6 0 8-14 10-20 12z"></path></g>`
/** What is in an open box: the prize that was drawn, in a beam of light. Other boxes stay closed. */
const content = ({
  type,
}: Prize | Play['reward']) => svg`<path class="beam" d="M22 48 2 -14h96L78 48z"></path>
  <g class="content ${type}"><g transform="translate(29 10) scale(0.875)">${prizeArt(type)}</g></g>`

export class BoxesElement extends GameElement {
  static override styles = [...GameElement.styles, boxesStyles]
  protected override readonly gameType = 'ENIGMA_BOXES'
  protected override readonly words = { play: 'open', playing: 'opening' } as const
  #lit: number | undefined
  #run = 0

  get #count(): number {
    return this.game?.config.segments ?? 1
  }

  protected override stage({ config: { segments } }: Game): TemplateResult {
    const { last, phase } = this
    const opened = phase === 'shown' ? last?.outcome.boxIndex : undefined
    const prize = last && isPrize(last.reward) ? last.reward : undefined
    const tier = prize?.tier.toLowerCase() ?? 'none'
    return html`<div class="boxes ${opened === undefined ? '' : 'done'} ${(opened ?? 0) >= segments / 2 ? 'low' : ''}" aria-hidden="true">
      ${Array.from({ length: segments }, (_, i) => {
        const isOpen = i === opened
        return html`<div class="box c${i % 4} ${i === this.#lit ? 'lit' : ''} ${isOpen ? `open ${tier}` : ''}">
          <svg viewBox="0 -14 100 108">
            ${body}${isOpen && prize ? content(prize) : nothing}${front}
            ${segments > 60 ? nothing : svg`<text x="50" y="78">${i + 1}</text>`}${lid}
          </svg>
        </div>`
      })}
    </div>`
  }

  protected override emptyStage(): TemplateResult {
    return html`<div class="bone square"></div>`
  }

  protected override updated(): void {
    this.#spread()
  }

  /** The number of columns that makes the field about one and a half times as wide as it is high. */
  #spread(): void {
    const count = this.#count
    const columns = String(count <= 3 ? count : Math.ceil(Math.sqrt(count * 1.4)))
    const boxes = this.renderRoot.querySelector<HTMLElement>('.boxes')
    // Setting the same value again would restyle all boxes at each jump.
    if (boxes?.style.getPropertyValue('--_columns') !== columns)
      boxes?.style.setProperty('--_columns', columns)
  }

  #light(index: number | undefined): void {
    this.#lit = index
    if (index !== undefined) this.sounds.tick()
    this.requestUpdate()
  }

  /** A random box other than the lit one. */
  #next(): number {
    const count = this.#count
    if (count === 1) return 0
    const step = 1 + Math.floor(Math.random() * (count - 1))
    return ((this.#lit ?? 0) + step) % count
  }

  protected override start(): void {
    const run = ++this.#run
    const hop = async () => {
      while (run === this.#run) {
        this.#light(this.#next())
        await wait(hopMs)
      }
    }
    void hop()
  }

  protected override stop(): void {
    this.#run++
    this.#light(undefined)
  }

  protected override async settle({ outcome }: Play, _: Game, isCalm: boolean): Promise<void> {
    this.#run++
    if (!isCalm) {
      for (let i = 1; i < lastHops; i++) {
        this.#light(this.#next())
        await wait(hopMs + i * i * 5)
      }
      this.#light(outcome.boxIndex)
      await wait(650)
    }
    this.#lit = undefined
  }

  protected override describe({ outcome }: Play): string {
    return this.say.text('boxOpens', { box: (outcome.boxIndex ?? 0) + 1 })
  }

  protected override signOf(reward: Prize, game: Game): TemplateResult {
    if (!isPrize(reward)) return super.signOf(reward, game)
    return html`<svg class="art" viewBox="0 0 48 48" aria-hidden="true">${prizeArt(reward.type)}</svg>`
  }
}
