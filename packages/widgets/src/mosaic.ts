/** The generated picture of an agent or a user: a mosaic derived from the id, for pages, widgets and files. */

/**
 * A deterministic sequence of numbers from a text (FNV-1a, mixed as in MurmurHash3, then xorshift): the same in a
 * browser as on the server.
 */
export const numbersOf = (text: string) => {
  let state = 2166136261
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  state ^= state >>> 16
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

const tile = 12
/** Shapes of a tile at (x, y), and their mirror image. */
const shapes: ((x: number, y: number, mirrored: boolean) => string)[] = [
  (x, y) => `M${x} ${y}h${tile}v${tile}h-${tile}z`,
  (x, y, m) => (m ? `M${x + tile} ${y}v${tile}h-${tile}z` : `M${x} ${y}v${tile}h${tile}z`),
  (x, y, m) => (m ? `M${x} ${y}h${tile}v${tile}z` : `M${x + tile} ${y}h-${tile}v${tile}z`),
  (x, y, m) =>
    m
      ? `M${x + tile} ${y}a${tile} ${tile} 0 0 0 -${tile} ${tile}h${tile}z`
      : `M${x} ${y}a${tile} ${tile} 0 0 1 ${tile} ${tile}h-${tile}z`,
]

export type Mosaic = {
  background: string
  /** Each as the `d` of a path and its color. The mosaic is symmetric, like a face. */
  tiles: { d: string; fill: string }[]
}

/** Width and height of the mosaic. */
export const mosaicSize = 4 * tile

export const mosaicOf = (id: string): Mosaic => {
  const next = numbersOf(id)
  const hue = (next() % 24) * 15
  const tones = [
    `hsl(${hue} 75% 66%)`,
    `hsl(${(hue + 40) % 360} 80% 72%)`,
    `hsl(${(hue + 320) % 360} 60% 54%)`,
  ]
  const tiles = [0, 1, 2, 3].flatMap((row) =>
    [0, 1].flatMap((column) => {
      const shape = shapes[next() % shapes.length] as (typeof shapes)[number]
      const fill = tones[next() % tones.length] as string
      if (next() % 6 === 0) return []
      const y = row * tile
      return [
        { d: shape(column * tile, y, false), fill },
        { d: shape((3 - column) * tile, y, true), fill },
      ]
    }),
  )
  return { background: `hsl(${hue} 38% 22%)`, tiles }
}

/** The mosaic as an SVG file. */
export const mosaicSvg = (id: string): string => {
  const { background, tiles } = mosaicOf(id)
  const paths = tiles.map(({ d, fill }) => `<path d="${d}" fill="${fill}"/>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${mosaicSize} ${mosaicSize}"><rect width="${mosaicSize}" height="${mosaicSize}" fill="${background}"/>${paths}</svg>`
}
