/** The geometry of the wheel: arcs as wide as the odds, where they stop, and how a prize is written on them. */
import { isPrize, type Prize } from './prizes.ts'

export const full = 360

/** An arc in degrees clockwise from the top of the wheel at rest. */
export type Arc = {
  /** The index of its prize. */
  prize: number
  from: number
  to: number
  /** Whether it is wider than the odds, because it would hardly be visible otherwise. */
  isWidened: boolean
}

/** The narrowest arc in degrees: 6 pixels at the rim of a wheel on a screen that is 320 pixels wide. */
const narrowest = 3

/**
 * The width of each arc in degrees. Widths are proportional to the odds, and add up to a full turn. Arcs below the
 * minimum are widened to it, at the expense of the others in proportion.
 */
const widthsOf = (chances: readonly number[]): number[] => {
  const least = Math.min(narrowest, full / 2 / chances.length)
  const widened = new Set<number>()
  for (;;) {
    const rest = chances.reduce((sum, chance, i) => (widened.has(i) ? sum : sum + chance), 0)
    const widths = chances.map((chance, i) =>
      widened.has(i) ? least : (chance / rest) * (full - widened.size * least),
    )
    const before = widened.size
    // Widening one narrows the others, so they are checked again.
    for (const [i, width] of widths.entries()) if (width < least) widened.add(i)
    if (widened.size === before) return widths
  }
}

/** Wide and narrow ones in turn, so that narrow arcs are not side by side. */
const orderOf = (chances: readonly number[]): number[] => {
  const sorted = chances.map((_, i) => i).sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0))
  const order: number[] = []
  while (sorted.length > 0) order.push(...sorted.splice(0, 1), ...sorted.splice(-1, 1))
  return order
}

/** The arcs of the prizes, clockwise. */
export const arcsOf = (prizes: readonly Prize[]): Arc[] => {
  const chances = prizes.map(({ probability }) => probability)
  const widths = widthsOf(chances)
  const order = orderOf(chances)
  let to = 0
  return order.map((prize, i) => {
    const from = to
    const width = widths[prize] ?? 0
    // Sums of fractions are not exact, but the last arc ends where the first one begins.
    to = i === order.length - 1 ? full : from + width
    return { prize, from, to, isWidened: width > (chances[prize] ?? 0) * full + 1e-9 }
  })
}

/** The most degrees between the pointer and a border, so that the tip of the pointer never touches it. */
const widestMargin = 2

/**
 * Where the wheel stops within an arc: at the same share of it as the drawn angle is of a full turn. So it follows from
 * the play alone, and every place of the arc is equally likely, except the margins at its borders.
 * @param drawn the `spinAngle` of the play, 0 to 360
 */
export const stopIn = ({ from, to }: Arc, drawn: number): number => {
  const margin = Math.min(widestMargin, (to - from) * 0.4)
  return from + margin + (drawn / full) * (to - from - 2 * margin)
}

/** Six colors in turn, and one without a number for no prize. Neighbors differ unless neither is a prize. */
export const colorsOf = (prizes: readonly Prize[], arcs: readonly Arc[]): (number | null)[] => {
  const colors: (number | null)[] = prizes.map(() => null)
  for (const [i, { prize }] of arcs.entries()) {
    if (!isPrize(prizes[prize] ?? { value: 0 })) continue
    const colorAt = (at: number) => colors[arcs[(at + arcs.length) % arcs.length]?.prize ?? -1]
    let color = prize % 6
    while (color === colorAt(i - 1) || color === colorAt(i + 1)) color = (color + 1) % 6
    colors[prize] = color
  }
  return colors
}

/** A text on an arc: across it, or along its radius. */
export type Label = { lines: string[]; size: number; isRadial: boolean }

/** The radius at which labels begin. */
export const labelRadius = 166
/** The smallest text is 12 pixels high on a screen that is 320 pixels wide. */
const sizes = [28, 25, 22, 20]
/** Labels keep this distance from the borders of the arc. */
const padding = 4
export const lineHeight = 1.12

/** An estimate of the width of bold text, rather too wide. */
export const textWidth = (text: string, size: number): number => {
  let width = 0
  for (const letter of text)
    width += /[ilj.,:;'!|\s]/.test(letter)
      ? 0.34
      : /[mwMW@%]/.test(letter)
        ? 0.96
        : /[A-Z]/.test(letter)
          ? 0.74
          : letter > '\u2e7f'
            ? 1.1
            : 0.63
  return width * size
}

/** Splits words into lines such that the widest line is as narrow as possible; null if there are too few words. */
const linesOf = (words: readonly string[], count: number): string[] | null => {
  if (words.length < count) return null
  if (count === 1) return [words.join(' ')]
  let best: string[] | null = null
  const widestOf = (lines: string[]) => Math.max(...lines.map((line) => textWidth(line, 1)))
  for (let i = 1; i <= words.length - count + 1; i++) {
    const rest = linesOf(words.slice(i), count - 1)
    const lines = rest && [words.slice(0, i).join(' '), ...rest]
    if (lines && (!best || widestOf(lines) < widestOf(best))) best = lines
  }
  return best
}

/** Whether lines fit across an arc, from the rim downwards. */
const fitsAcross = (lines: string[], size: number, halfTangent: number, inner: number): boolean => {
  if (labelRadius - lines.length * size * lineHeight < inner) return false
  const isOut = lines.some((line, i) => {
    const top = labelRadius - i * size * lineHeight
    const bottom = top - size
    const half = Math.min(bottom * halfTangent, Math.sqrt(178 ** 2 - top ** 2)) - padding
    return textWidth(line, size) / 2 > half
  })
  return !isOut
}

/** Whether lines fit along the radius, from the rim to the hub. */
const fitsAlong = (lines: string[], size: number, halfTangent: number, inner: number): boolean => {
  const half = (lines.length * size * lineHeight) / 2 + padding / 2
  const end = Math.max(inner, half / halfTangent)
  return lines.every((line) => textWidth(line, size) <= labelRadius - end)
}

/**
 * How a text is written on an arc, as large as possible: across it, or along its radius. Null if it does not fit in a
 * readable size.
 * @param inner the radius down to which there is room
 */
export const labelOn = (text: string, { from, to }: Arc, inner: number): Label | null => {
  const words = text.trim().split(/\s+/)
  const width = to - from
  const halfTangent = width >= 180 ? Number.POSITIVE_INFINITY : Math.tan((width * Math.PI) / full)
  if (text.length > 60) return null
  for (const size of sizes)
    for (const isRadial of [false, true])
      for (const count of isRadial ? [1, 2] : [1, 2, 3]) {
        const lines = linesOf(words, count)
        if (!lines) continue
        const fits = isRadial
          ? fitsAlong(lines, size, halfTangent, inner)
          : fitsAcross(lines, size, halfTangent, inner)
        if (fits) return { lines, size, isRadial }
      }
  return null
}

/** How an arc is named: by its prize, or by a number of the list beside the wheel. */
export type Sign = Label & { isNumber: boolean; isPin: boolean }

/** The hub, and the radius that a pin takes. */
const hubRadius = 60
const pinned = 88
/** Pins that are closer than this in degrees would cover each other. */
const pinSpacing = 24

/**
 * Names the arcs. A prize that does not fit is a number; where not even that fits, the number is on a pin near the hub,
 * and where pins would cover each other, only the list names it.
 */
export const signsOf = (prizes: readonly Prize[], arcs: readonly Arc[]): (Sign | null)[] => {
  const written = (inner: number) =>
    arcs.map((arc): Sign | null => {
      const named = labelOn(prizes[arc.prize]?.label ?? '', arc, inner)
      const label = named ?? labelOn(String(arc.prize + 1), arc, inner)
      return label && { ...label, isNumber: !named, isPin: false }
    })
  const signs = written(hubRadius)
  if (!signs.includes(null)) return signs
  let last = -full
  const middleOf = ({ from, to }: Arc) => (from + to) / 2
  const first = middleOf(arcs[signs.indexOf(null)] as Arc)
  return written(pinned).map((sign, i) => {
    const { prize } = arcs[i] as Arc
    const middle = middleOf(arcs[i] as Arc)
    if (
      sign ||
      middle - last < pinSpacing ||
      (middle > first && first + full - middle < pinSpacing)
    )
      return sign
    last = middle
    const lines = [String(prize + 1)]
    return { lines, size: sizes.at(-1) as number, isRadial: false, isNumber: true, isPin: true }
  })
}

/** The radius at which a text across an arc ends. */
export const endOf = ({ lines, size }: Label): number =>
  labelRadius - lines.length * size * lineHeight - 4

/** The size of a drawing below a text that is written across an arc; 0 if there is no room. */
export const artOn = ({ from, to }: Arc, sign: Sign): number => {
  if (sign.isRadial || sign.isNumber) return 0
  const end = endOf(sign)
  const size = Math.min(44, end - hubRadius - 4)
  const halfTangent = to - from >= 180 ? 9 : Math.tan(((to - from) * Math.PI) / full)
  return size >= 24 && size / 2 + padding < (end - size) * halfTangent ? size : 0
}
