/** The form values of a brand, and their conversion to the input of the API. */
import type { BrandPartsFragment, UpdateBrandInput } from '../generated/types.ts'
import type { FormLines } from '../parts/use-versions.ts'
import { brandTexts as texts } from '../texts/brand-texts.ts'

/** The values of a brand, each null if it is not set. */
export type BrandParts = Omit<BrandPartsFragment, '__typename'>

type Language = NonNullable<BrandParts['language']>
type TermsKind = keyof typeof texts.termsKinds

export type BrandForm = {
  logoUrl: string
  color: string
  imageUrl: string
  promoter: string
  /** Of a campaign, none are those of the partner. */
  termsKind: TermsKind
  terms: string
  termsUrl: string
  /** Empty for that of the partner. */
  language: Language | ''
}

export const valuesOfBrand = (of: BrandParts): BrandForm => ({
  logoUrl: of.logoUrl ?? '',
  color: of.color ?? '',
  imageUrl: of.imageUrl ?? '',
  promoter: of.promoter ?? '',
  termsKind: of.termsUrl ? 'link' : of.terms ? 'text' : 'none',
  terms: of.terms ?? '',
  termsUrl: of.termsUrl ?? '',
  language: of.language ?? '',
})

/** The brand that a form holds, as the API would return it. */
export const brandOfForm = ({ termsKind, ...values }: BrandForm): BrandParts => ({
  logoUrl: values.logoUrl.trim() || null,
  color: values.color || null,
  imageUrl: values.imageUrl.trim() || null,
  promoter: values.promoter.trim() || null,
  terms: (termsKind === 'text' && values.terms) || null,
  termsUrl: (termsKind === 'link' && values.termsUrl.trim()) || null,
  language: values.language || null,
})

export const inputOfBrand = (values: BrandForm): Omit<UpdateBrandInput, 'expectedVersion'> =>
  brandOfForm(values)

/** The brand of a campaign over that of its partner, as the server resolves it. */
export const brandOver = (own: BrandParts, other: BrandParts) => ({
  logoUrl: own.logoUrl ?? other.logoUrl,
  color: own.color ?? other.color,
  imageUrl: own.imageUrl ?? other.imageUrl,
  promoter: own.promoter ?? other.promoter,
  language: own.language ?? other.language,
  ...(own.terms || own.termsUrl
    ? { terms: own.terms, termsUrl: own.termsUrl }
    : { terms: other.terms, termsUrl: other.termsUrl }),
})

const termsLine = ({ termsKind, terms, termsUrl }: BrandForm) =>
  ({ none: '', text: terms, link: termsUrl })[termsKind]

export const linesOfBrand = (of: BrandForm): FormLines => [
  [texts.logo, of.logoUrl],
  [texts.color, of.color],
  [texts.picture, of.imageUrl],
  [texts.promoter, of.promoter],
  [texts.terms, termsLine(of)],
  [texts.language, of.language && texts.languages[of.language]],
]

/** Whether a text is a color that the API takes. */
export const isColor = (text: string): boolean => /^#[0-9a-fA-F]{6}$/.test(text)
