/** A picture for a campaign without one: tiles derived from its slug. */
import { numbersOf } from '../../packages/widgets/src/mosaic.ts'
import { Html } from './html.ts'

const columns = 20
const rows = 8
const size = 48

/** One of twelve hues, derived from a text. */
export const hueOf = (text: string): number => (numbersOf(text)() % 12) * 30

const shapes: ((x: number, y: number) => string)[] = [
  (x, y) => `M${x} ${y}h${size}v${size}h-${size}z`,
  (x, y) => `M${x} ${y}h${size}l-${size} ${size}z`,
  (x, y) => `M${x + size} ${y}v${size}h-${size}z`,
  (x, y) => `M${x} ${y}a${size} ${size} 0 0 1 ${size} ${size}h-${size}z`,
  (x, y) => `M${x + size} ${y}v${size}h-${size}a${size} ${size} 0 0 1 ${size} -${size}z`,
  (x, y) =>
    `M${x} ${y + size / 2}a${size / 2} ${size / 2} 0 0 1 ${size} 0a${size / 2} ${size / 2} 0 0 1 -${size} 0z`,
]

/**
 * The tiles as an SVG that fills its container.
 * @param strength 0 for gray to 1
 */
export const mosaic = (
  text: string,
  { hue, strength }: { hue: number; strength: number },
): Html => {
  const tone = (turn: number, saturation: number, lightness: number) =>
    `hsl(${(hue + turn) % 360} ${Math.round(saturation * strength)}% ${lightness}%)`
  const tones = [
    tone(0, 70, 62),
    tone(24, 78, 70),
    tone(330, 60, 48),
    tone(170, 55, 66),
    tone(0, 45, 30),
  ]
  const next = numbersOf(`${text} tiles`)
  let paths = ''
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [kind, tone, bare] = [next(), next(), next()]
      if (bare % 4 === 0) continue
      const shape = shapes[kind % shapes.length] as (typeof shapes)[number]
      paths += `<path d="${shape(column * size, row * size)}" fill="${tones[tone % tones.length]}"/>`
    }
  return new Html(
    `<svg class="mosaic" viewBox="0 0 ${columns * size} ${rows * size}" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">${paths}</svg>`,
  )
}
