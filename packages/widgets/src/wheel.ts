/**
 * `<tessera-wheel>`. Segments have numbers instead of prizes, because the server draws the segment and the reward
 * independently (decision 0178).
 */
import { html, svg, type TemplateResult } from 'lit'
import { type Game, GameElement } from './game-element.ts'
import { animate, easeOut, everyFrame } from './motion.ts'
import type { Play } from './plays.ts'
import { wheelStyles } from './wheel-styles.ts'

const full = 360
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
const slice = (from: number, to: number, inner: number, outer: number) => {
  const isLarge = to - from > 180 ? 1 : 0
  return `M${point(from, outer)}A${outer} ${outer} 0 ${isLarge} 1 ${point(to, outer)}L${point(to, inner)}A${inner} ${inner} 0 ${isLarge} 0 ${point(from, inner)}z`
}

/** Six colors in turn. The last segment never has the color of the first. */
const colorOf = (index: number, segments: number) =>
  index === segments - 1 && index % 6 === 0 ? 3 : index % 6

const segment = (index: number, segments: number, isHit: boolean) => {
  const width = full / segments
  const middle = (index + 0.5) * width
  const size = Math.min(26, 118 / Math.sqrt(segments) - 8)
  return svg`<g class="segment c${colorOf(index, segments)} ${isHit ? 'hit' : ''}">
    <path d=${slice(index * width, (index + 1) * width, 52, 184)}></path>
    ${
      segments > mostNumbers
        ? null
        : svg`<text transform="rotate(${middle}) translate(0 -156)" font-size=${size}>${index + 1}</text>`
    }
  </g>`
}

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

const pegs = (segments: number) =>
  segments > mostNumbers
    ? null
    : Array.from(
        { length: segments },
        (_, i) =>
          svg`<circle class="peg" r="3" transform="rotate(${(i * full) / segments}) translate(0 -178)"></circle>`,
      )

export class WheelElement extends GameElement {
  static override styles = [...GameElement.styles, wheelStyles]
  protected override readonly gameType = 'NEON_WHEEL'
  protected override readonly words = { play: 'spin', playing: 'spinning' } as const
  /** Degrees clockwise since the wheel was made. */
  #angle = 0
  #speed = 0
  #bending: Animation | undefined
  #leave: (() => void) | undefined

  protected override stage({ config: { segments } }: Game): TemplateResult {
    const hit = this.phase === 'shown' ? this.last?.outcome.winningSegment : undefined
    return html`<div class="wheel ${hit === undefined ? '' : 'done'}">
      <svg class="rim" viewBox="-210 -210 420 420" aria-hidden="true">
        <circle class="band" r="194"></circle>
      </svg>
      ${bulbs}
      <div class="disc">
        <svg viewBox="-190 -190 380 380" aria-hidden="true">
          ${Array.from({ length: segments }, (_, i) => segment(i, segments, i === hit))}
          ${pegs(segments)}
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
        <path d="M-16-206h32L4-160q-4 8-8 0z"></path><circle cy="-194" r="6"></circle>
      </svg>
    </div>`
  }

  protected override emptyStage(): TemplateResult {
    return html`<div class="bone round"></div>`
  }

  #turn(angle: number): void {
    const segments = this.game?.config.segments ?? 1
    const before = Math.floor((this.#angle * segments) / full)
    this.#angle = angle
    this.renderRoot
      .querySelector<HTMLElement>('.disc')
      ?.style.setProperty('transform', `rotate(${angle}deg)`)
    if (segments > mostNumbers || Math.floor((angle * segments) / full) === before) return
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

  protected override async settle({ outcome }: Play, isCalm: boolean): Promise<void> {
    this.stop()
    // The pointer is at the top, so the wheel stops at minus the angle of the outcome.
    const rest = full - (outcome.spinAngle ?? 0)
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

  protected override describe({ outcome }: Play): string {
    return this.say.text('wheelStops', { segment: (outcome.winningSegment ?? 0) + 1 })
  }
}
