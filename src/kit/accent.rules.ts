/** Colors that readers can read: the accent of a brand on light and on dark pages. */

/** A color in `#rrggbb` for each theme. */
export type Accent = { light: string; dark: string }

export type Hsl = {
  /** 0 to 360. */
  hue: number
  /** 0 to 1, as the lightness. */
  saturation: number
  lightness: number
}

/** WCAG AA for text of any size. */
const minContrast = 4.5

/** The surfaces of pages and widgets on which an accent is hardest to read. */
const hardestSurface: Accent = { light: '#ece9f8', dark: '#2c2a48' }

/** The text of a button in the color of the accent. */
export const onAccent: Accent = { light: '#ffffff', dark: '#15131a' }

const channelsOf = (hex: string): [number, number, number] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ]

/** The relative luminance of WCAG: 0 for black, 1 for white. */
const luminanceOf = (hex: string): number => {
  const [red, green, blue] = channelsOf(hex).map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors as WCAG defines it, 1 to 21. */
export const contrastOf = (first: string, other: string): number => {
  const [low, high] = [luminanceOf(first), luminanceOf(other)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  return (high + 0.05) / (low + 0.05)
}

export const hslOf = (hex: string): Hsl => {
  const [red, green, blue] = channelsOf(hex)
  const max = Math.max(red, green, blue)
  const chroma = max - Math.min(red, green, blue)
  const lightness = max - chroma / 2
  if (chroma === 0) return { hue: 0, saturation: 0, lightness }
  const sixth =
    max === red
      ? (green - blue) / chroma
      : max === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4
  return {
    hue: (sixth * 60 + 360) % 360,
    saturation: chroma / (1 - Math.abs(2 * lightness - 1)),
    lightness,
  }
}

export const hexOf = ({ hue, saturation, lightness }: Hsl): string => {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

/** Changes only the lightness of a color, by as little as makes it readable on a surface. */
const readableOn = (color: string, surface: string, step: number): string => {
  const hsl = hslOf(color)
  let shown = color
  for (let { lightness } = hsl; contrastOf(shown, surface) < minContrast; ) {
    lightness = Math.min(1, Math.max(0, lightness + step))
    shown = hexOf({ ...hsl, lightness })
  }
  return shown
}

/**
 * The accent of a color `#RRGGBB`: the color itself where text of it and text on it have a contrast of 4.5, or else a
 * darker one on light pages and a lighter one on dark pages, of the same hue.
 */
export const accentOf = (color: string): Accent => {
  const given = color.toLowerCase()
  return {
    light: readableOn(given, hardestSurface.light, -0.005),
    dark: readableOn(given, hardestSurface.dark, 0.005),
  }
}
