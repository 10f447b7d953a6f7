/** The brand of a partner, campaign or lottery. */
export type Brand = {
  logoUrl: string | null
  accent: { light: string; dark: string } | null
  imageUrl: string | null
  promoter: string | null
  terms: string | null
  termsUrl: string | null
  language: string | null
}
