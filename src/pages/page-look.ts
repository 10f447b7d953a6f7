/** What a page takes from the brand of its partner: colors, pictures, promoter and terms. */
import type { PageLanguage } from '../generated/prisma/enums.ts'
import { accentOf, hexOf, hslOf } from '../kit/accent.rules.ts'
import { type Html, html } from './html.ts'
import { hueOf } from './mosaic.ts'
import type { Say } from './texts/page-texts.ts'

/** The fields of a brand that pages query. */
export const brandFields = 'logoUrl color imageUrl promoter terms termsUrl language'

export type PageBrand = {
  logoUrl: string | null
  color: string | null
  imageUrl: string | null
  promoter: string | null
  terms: string | null
  termsUrl: string | null
  language: PageLanguage | null
}

/** The colors of a page: the accent in both themes, and the hue of surfaces with its strength, 0 to 1. */
export type Look = { light: string; dark: string; hue: number; strength: number }

/** The colors of a brand or, as the last resort, those derived from a text. */
export const lookOf = (color: string | null, seed: string): Look => {
  if (color) {
    const { hue, saturation } = hslOf(color.toLowerCase())
    return { ...accentOf(color), hue: Math.round(hue), strength: Math.min(1, saturation / 0.5) }
  }
  const hue = hueOf(seed)
  return {
    light: accentOf(hexOf({ hue, saturation: 0.62, lightness: 0.34 })).light,
    dark: accentOf(hexOf({ hue, saturation: 0.7, lightness: 0.72 })).dark,
    hue,
    strength: 1,
  }
}

/** The style with the colors of a page, which its other styles use. */
export const styleOfLook = ({ light, dark, hue, strength }: Look): string =>
  `:root{--hue:${hue};--strength:${strength.toFixed(2)};--light:${light};--dark:${dark}}`

/** The servers of the pictures of a brand, for the Content-Security-Policy. */
export const imageSources = ({ logoUrl, imageUrl }: PageBrand): string[] => [
  ...new Set([logoUrl, imageUrl].flatMap((url) => (url ? new URL(url).origin : []))),
]

/** The terms: a link, or a text that opens; nothing without terms. */
export const termsOf = ({ terms, termsUrl }: PageBrand, say: Say): Html | false =>
  termsUrl
    ? html`<p><a href="${termsUrl}" rel="noopener">${say.text('terms')}</a></p>`
    : terms !== null &&
      html`<details class="terms"><summary>${say.text('terms')}</summary><p>${terms}</p></details>`
