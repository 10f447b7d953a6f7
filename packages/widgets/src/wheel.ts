/**
 * `<tessera-wheel>`. Its arcs are as wide as the odds, and it stops in the arc of the prize. With `segments="equal"`
 * it shows the numbered segments that the server draws apart from the reward
 * (docs/decisions/widgets-show-what-was-drawn.md).
 */
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit'
import { type Game, GameElement } from './game-element.ts'
import './game-texts.ts'
import { animate, easeOut, everyFrame } from './motion.ts'
import type { Play } from './plays.ts'
import { prizeArt } from './prize-art.ts'
import { isPrize, isSame, type Prize, prizesOf } from './prizes.ts'
import {
  type Arc,
  arcsOf,
  artOn,
  colorsOf,
  endOf,
  full,
  labelRadius,
  lineHeight,
  type Sign,
  signsOf,
  stopIn,
} from './wheel-arcs.ts'
import { wheelStyles } from './wheel-styles.ts'

/** Degrees per second while waiting for the answer. */
const cruising = 620
/** Seconds until the wheel reaches that speed. */
const rampSeconds = 0.5
/** With more segments there is no room for numbers. */
const mostNumbers = 40

const point = (degrees: number, radius: number) => {
  const angle = ((degrees - 90) * Math.PI) / 180
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`
}

/** A sector of a ring between two angles. */
const slice = (from: number, to: number, inner: number, outer: number): string => {
  // An arc of SVG cannot be a full circle.
  if (to - from > 359.9) return slice(0, 180, inner, outer) + slice(180, 359.89, inner, outer)
  const isLarge = to - from > 180 ? 1 : 0
  return `M${point(from, outer)}A${outer} ${outer} 0 ${isLarge} 1 ${point(to, outer)}L${point(to, inner)}A${inner} ${inner} 0 ${isLarge} 0 ${point(from, inner)}z`
}

/** What the wheel shows: its arcs, with the class of their color and what is written on them. */
type Part = Arc & { color: string; sign: Sign | null; art?: SVGTemplateResult }
type Plan = { game: Game; isEqual: boolean; prizes: Prize[]; parts: Part[] }

/** Segments of equal width with numbers. The last one never has the color of the first. */
const equalParts = (segments: number): Part[] =>
  Array.from({ length: segments }, (_, i) => {
    const size = Math.min(26, 118 / Math.sqrt(segments) - 8)
    return {
      prize: i,
      from: (i * full) / segments,
      to: ((i + 1) * full) / segments,
      isWidened: false,
      color: `c${i === segments - 1 && i % 6 === 0 ? 3 : i % 6}`,
      sign:
        segments > mostNumbers
          ? null
          : { lines: [String(i + 1)], size, isRadial: false, isNumber: true, isPin: false },
    }
  })

/** The kind of a prize, below its name. */
const drawn = (type: string, size: number, sign: Sign) =>
  svg`<g transform="translate(${-size / 2} ${-endOf(sign)}) scale(${size / 48})">${prizeArt(type)}</g>`

const partsOf = (prizes: Prize[]): Part[] => {
  const arcs = arcsOf(prizes)
  const colors = colorsOf(prizes, arcs)
  const signs = signsOf(prizes, arcs)
  return arcs.map((arc, i) => {
    const color = colors[arc.prize] ?? null
    const sign = signs[i] ?? null
    const prize = prizes[arc.prize]
    const size = sign && prize && isPrize(prize) ? artOn(arc, sign) : 0
    const art = size > 0 ? drawn(prize?.type ?? '', size, sign as Sign) : svg``
    return { ...arc, color: color === null ? 'blank' : `c${color}`, sign, art }
  })
}

const written = ({ lines, size, isRadial, isPin }: Sign) => {
  const line = size * lineHeight
  if (isPin)
    return svg`<circle r="14" cy="-72"></circle><text y="-72" font-size="18">${lines}</text>`
  return isRadial
    ? svg`<g class="along" transform="translate(0 ${-labelRadius}) rotate(90)" font-size=${size}>
        ${lines.map((text, i) => svg`<text y=${(i - (lines.length - 1) / 2) * line}>${text}</text>`)}</g>`
    : svg`<g font-size=${size}>
        ${lines.map((text, i) => svg`<text y=${-labelRadius + size / 2 + i * line}>${text}</text>`)}</g>`
}

/** The arc, without what is written on it. */
const shape = ({ from, to, color }: Part, isHit: boolean) =>
  svg`<path class="segment ${color} ${isHit ? 'hit' : ''}" d=${slice(from, to, 52, 184)}></path>`

const label = ({ from, to, color, sign, art }: Part, isHit: boolean) =>
  sign &&
  svg`<g class="label ${color} ${isHit ? 'hit' : ''}" transform="rotate(${(from + to) / 2})">${written(sign)}${art}</g>`

/** The 24 bulbs in three layers. Twinkling changes the opacity of a layer, which needs no painting. */
const bulbs = [0, 1, 2].map(
  (third) => html`<svg class="bulbs b${third}" viewBox="-210 -210 420 420" aria-hidden="true">
    ${Array.from(
      { length: 8 },
      (_, i) =>
        svg`<circle r="4.2" transform="rotate(${(i * 3 + third) * 15 + 7.5}) translate(0 -194)"></circle>`,
    )}
  </svg>`,
)

const pegs = (parts: Part[]) =>
  parts.length > mostNumbers
    ? null
    : parts.map(
        ({ from }) =>
          svg`<circle class="peg" r="3" transform="rotate(${from}) translate(0 -178)"></circle>`,
      )

/** The arc at an angle of the wheel. */
const partAt = (parts: Part[], angle: number): number => {
  const at = ((angle % full) + full) % full
  return parts.findIndex(({ to }) => at < to)
}

export class WheelElement extends GameElement {
  static override properties = { ...GameElement.properties, segments: { type: String } }
  static override styles = [...GameElement.styles, wheelStyles]
  declare segments: string
  protected override readonly gameType = 'NEON_WHEEL'
  protected override readonly words = { play: 'spin', playing: 'spinning' } as const
  /** Degrees clockwise since the wheel was made. */
  #angle = 0
  #speed = 0
  #bending: Animation | undefined
  #leave: (() => void) | undefined
  #shown: Plan | undefined

  constructor() {
    super()
    this.segments = 'odds'
  }

  #plan(game: Game): Plan {
    const isEqual = this.segments === 'equal'
    if (this.#shown?.game !== game || this.#shown.isEqual !== isEqual) {
      const { segments, rewards } = game.config
      const prizes = isEqual ? [] : prizesOf(rewards)
      const parts = isEqual ? equalParts(segments) : partsOf(prizes)
      this.#shown = { game, isEqual, prizes, parts }
    }
    return this.#shown
  }

  /** The part in which the wheel stops for a play. */
  #partOf({ reward, outcome }: Play, { isEqual, parts, prizes }: Plan): Part | undefined {
    return parts.find(({ prize }) => {
      const shown = prizes[prize]
      return isEqual ? prize === outcome.winningSegment : shown && isSame(shown, reward)
    })
  }

  protected override stage(game: Game): TemplateResult {
    const plan = this.#plan(game)
    const { parts } = plan
    const hit = this.phase === 'shown' && this.last ? this.#partOf(this.last, plan) : undefined
    return html`<div class="wheel ${hit ? 'done' : ''}">
      <svg class="rim" viewBox="-210 -210 420 420" aria-hidden="true">
        <circle class="band" r="194"></circle>
      </svg>
      ${bulbs}
      <div class="disc">
        <svg viewBox="-190 -190 380 380" aria-hidden="true">
          ${parts.map((part) => shape(part, part === hit))}
          ${hit && svg`<path class="outline" d=${slice(hit.from, hit.to, 53, 182)}></path>`} ${pegs(parts)}
          ${parts.map((part) => label(part, part === hit))}
        </svg>
      </div>
      <svg class="front" viewBox="-210 -210 420 420" aria-hidden="true">
        <defs>
          <radialGradient id="gloss" cx="0.5" cy="0.28" r="0.75">
            <stop offset="0" stop-color="#fff" stop-opacity="0.28"></stop>
            <stop offset="0.5" stop-color="#fff" stop-opacity="0"></stop>
            <stop offset="1" stop-color="#000" stop-opacity="0.34"></stop>
          </radialGradient>
        </defs>
        <circle r="184" fill="url(#gloss)"></circle>
        <circle class="hub" r="50"></circle>
        <path class="mark" d="M0-26 26 0 0 26-26 0z"></path>
        <path class="mark light" d="M0-26 26 0H0z"></path>
        <path class="mark dark" d="M-26 0H0v26z"></path>
      </svg>
      <svg class="pointer" viewBox="-210 -210 420 420" aria-hidden="true">
        <path d="M-15-206h30L4-174q-4 8-8 0z"></path><circle cy="-194" r="6"></circle>
      </svg>
    </div>`
  }

  protected override emptyStage(): TemplateResult {
    return html`<div class="bone round"></div>`
  }

  #turn(angle: number): void {
    const parts = this.#shown?.parts ?? []
    const before = partAt(parts, -this.#angle)
    this.#angle = angle
    this.renderRoot
      .querySelector<HTMLElement>('.disc')
      ?.style.setProperty('transform', `rotate(${angle}deg)`)
    if (parts.length > mostNumbers || partAt(parts, -angle) === before) return
    this.sounds.tick()
    const bend = Math.min(22, 6 + this.#speed / 40)
    this.#bending?.cancel()
    this.#bending = this.renderRoot
      .querySelector('.pointer')
      ?.animate([{ transform: `rotate(${-bend}deg)` }, { transform: 'none' }], 140)
  }

  protected override start(): void {
    this.#speed = 0
    this.#leave?.()
    this.#leave = everyFrame((seconds) => {
      this.#speed = Math.min(cruising, this.#speed + (cruising / rampSeconds) * seconds)
      this.#turn(this.#angle + this.#speed * seconds)
    })
  }

  protected override stop(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  /** Where the pointer is on the wheel when it has stopped, in degrees. */
  #stopOf(play: Play, game: Game): number {
    const drawn = play.outcome.spinAngle ?? 0
    const plan = this.#plan(game)
    const part = this.#partOf(play, plan)
    return part && !plan.isEqual ? stopIn(part, drawn) : drawn
  }

  protected override async settle(play: Play, game: Game, isCalm: boolean): Promise<void> {
    this.stop()
    // The pointer is at the top, so the wheel stops at minus the angle below it.
    const rest = full - this.#stopOf(play, game)
    if (isCalm) return this.#turn(rest)
    const from = this.#angle
    const target = Math.ceil((from + 2 * full - rest) / full) * full + rest
    const distance = target - from
    const speed = Math.max(this.#speed, cruising / 2)
    // A cubic curve that starts at the current speed: its slope at 0 is 3.
    await animate(((3 * distance) / speed) * 1000, (progress) => {
      this.#speed = speed * (1 - progress) ** 2
      this.#turn(from + distance * easeOut(progress))
    })
  }

  protected override describe({ reward, outcome }: Play): string {
    const isEqual = this.segments === 'equal'
    const segment = isEqual ? (outcome.winningSegment ?? 0) + 1 : reward.label
    return this.say.text('wheelStops', { segment })
  }

  protected override signOf(reward: Prize, game: Game) {
    const { isEqual, prizes, parts } = this.#plan(game)
    const part = parts.find(({ prize }) => {
      const shown = prizes[prize]
      return !isEqual && shown && isSame(shown, reward)
    })
    if (!part) return super.signOf(reward, game)
    const { color, prize, sign } = part
    return html`<span class="swatch ${color}" aria-hidden="true">${sign?.isNumber ? prize + 1 : nothing}</span>`
  }

  protected override hint(game: Game): string {
    const { isEqual, parts } = this.#plan(game)
    if (isEqual) return this.say.text('equalSegments')
    return parts.some(({ isWidened }) => isWidened) ? this.say.text('widenedArcs') : ''
  }
}
