/** What the public pages and widgets of a partner look like: logo, color, picture, promoter, terms and language. */

import { z } from 'zod'
import type { Brand } from '../generated/prisma/client.ts'
import { PageLanguage } from '../generated/prisma/enums.ts'
import { ofTenant, ofTenants } from '../kit/database/tenant-client.ts'
import { refused } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { color, httpsUrl, oneOf, text, title } from '../kit/validation.ts'

/** The fields of a brand in an input. Omitted fields are unchanged, null removes a value. */
export const brandFields = {
  logoUrl: httpsUrl().nullish().describe('URL of the logo, https.'),
  color: color()
    .nullish()
    .describe('Main color, `#RRGGBB`. Pages show it darker or lighter where text needs it.'),
  imageUrl: httpsUrl().nullish().describe('URL of the picture at the top of pages, https.'),
  promoter: title(500)
    .nullish()
    .describe('Who runs the promotions, as terms name them. Null for the name of the partner.'),
  terms: text(10_000).nullish().describe('Terms and conditions. They replace `termsUrl`.'),
  termsUrl: httpsUrl()
    .nullish()
    .describe('Where the terms and conditions are, https. It replaces `terms`.'),
  language: oneOf('PageLanguage', PageLanguage)
    .nullish()
    .describe('Language of pages, and of widgets on pages without one.'),
}

export const UpdateBrand = z
  .object(brandFields)
  .describe('Changes to a brand. Omitted fields are unchanged, null removes a value.')

type BrandInput = z.output<typeof UpdateBrand>

/** The values of a brand, each null if it is not set. */
export type BrandValues = Pick<Brand, keyof typeof brandFields>

const names = Object.keys(brandFields) as (keyof BrandValues)[]

export const noBrand: BrandValues = {
  logoUrl: null,
  color: null,
  imageUrl: null,
  promoter: null,
  terms: null,
  termsUrl: null,
  language: null,
}

/** The values of a brand among those of a row. */
export const brandIn = (row: BrandValues): BrandValues =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as BrandValues

/**
 * The columns that an input changes. Terms are a text or a link, so that the one replaces the other.
 * @param path of the input, for the error
 * @throws TesseraError VALIDATION_FAILED for both
 */
export const brandChanges = (input: BrandInput, path = ''): Partial<BrandValues> => {
  if (input.terms && input.termsUrl)
    throw refused(`${path}termsUrl`, 'must not be set together with terms')
  return {
    ...Object.fromEntries(
      names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
    ),
    ...(input.terms && { termsUrl: null }),
    ...(input.termsUrl && { terms: null }),
  }
}

/** A brand whose unset values are those of another one. Terms are taken as a whole. */
export const brandOver = (own: BrandValues, other: BrandValues): BrandValues => {
  const { terms, termsUrl } = own.terms === null && own.termsUrl === null ? other : own
  const merged = Object.fromEntries(names.map((name) => [name, own[name] ?? other[name]]))
  return { ...(merged as BrandValues), terms, termsUrl }
}

/** The brand of a partner in an environment, and how often it was changed. */
export type PartnerBrand = BrandValues & { version: number }

const keyOf = ({ partnerId, environment }: Tenant) => `${partnerId} ${environment}`

/** The brands of partners in an environment. */
export const findBrands = async ({ tx }: Work, tenants: Tenant[]): Promise<PartnerBrand[]> => {
  const requested = [...new Map(tenants.map((tenant) => [keyOf(tenant), tenant])).values()]
  const brands = await ofTenants(tx, requested, () => ({})).brand.findMany()
  return inOrder(tenants, brands, keyOf, keyOf).map((item) => item ?? { ...noBrand, version: 0 })
}

/**
 * Changes the brand of a partner in an environment.
 * @throws TesseraError VALIDATION_FAILED for terms as a text and as a link
 */
export const updateBrand = (
  { tx, clock }: Work,
  { partnerId, environment, ...input }: Tenant & BrandInput,
): Promise<PartnerBrand> => {
  const changes = { ...brandChanges(input), updatedAt: clock() }
  return ofTenant(tx, { partnerId, environment }).brand.upsert({
    where: { partnerId_environment: {} },
    create: changes,
    update: changes,
  })
}

/** Replaces the brand of a partner in LIVE by the one in TEST. */
export const copyBrandToLive = async (work: Work, partnerId: string): Promise<PartnerBrand> => {
  const [brand = noBrand] = await findBrands(work, [{ partnerId, environment: 'TEST' }])
  const changes = { ...brandIn(brand as BrandValues), updatedAt: work.clock() }
  return ofTenant(work.tx, { partnerId, environment: 'LIVE' }).brand.upsert({
    where: { partnerId_environment: {} },
    create: changes,
    update: changes,
  })
}
