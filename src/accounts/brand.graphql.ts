/** The brand of a partner: what its pages and widgets look like. */
import { type Accent, accentOf } from '../kit/accent.rules.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { mutation } from '../kit/schema/mutation.ts'
import {
  type BrandValues,
  brandFields,
  copyBrandToLive,
  findBrands,
  type PartnerBrand,
  UpdateBrand,
  updateBrand,
} from './brand.ts'
import { PartnerRef } from './partner.graphql.ts'

const PageLanguageRef = enumType('PageLanguage', 'A language of public pages and widgets.', {
  EN: 'English.',
  DE: 'German.',
})

const AccentRef = builder.objectRef<Accent>('BrandAccent').implement({
  description:
    'A color for text and buttons, `#rrggbb`: the color of a brand, made darker or lighter where it could not be read. Its contrast is 4.5 at least.',
  fields: (t) => ({
    light: t.exposeString('light', { description: 'On light pages, with white on it.' }),
    dark: t.exposeString('dark', { description: 'On dark pages, with black on it.' }),
  }),
})

const nullable = true as const
const describe = (name: keyof BrandValues) => brandFields[name].description ?? ''

const BrandPartRef = builder.interfaceRef<BrandValues>('BrandValues').implement({
  description: 'What pages and widgets look like. Null is what is not set.',
  fields: (t) => ({
    logoUrl: t.expose('logoUrl', { type: 'URL', nullable, description: describe('logoUrl') }),
    color: t.exposeString('color', { nullable, description: 'Main color, `#RRGGBB`.' }),
    accent: t.field({
      type: AccentRef,
      nullable,
      description: 'The color as it is shown; null without a color.',
      resolve: ({ color }) => (color === null ? null : accentOf(color)),
    }),
    imageUrl: t.expose('imageUrl', { type: 'URL', nullable, description: describe('imageUrl') }),
    promoter: t.exposeString('promoter', {
      nullable,
      description: 'Who runs the promotions, as terms name them.',
    }),
    terms: t.exposeString('terms', { nullable, description: 'Terms and conditions.' }),
    termsUrl: t.expose('termsUrl', {
      type: 'URL',
      nullable,
      description: 'Where the terms and conditions are.',
    }),
    language: t.expose('language', {
      type: PageLanguageRef,
      nullable,
      description: describe('language'),
    }),
  }),
})

export const BrandRef = builder.objectRef<BrandValues>('Brand').implement({
  description: 'What the page of one campaign or draw looks like.',
  interfaces: [BrandPartRef],
})

const PartnerBrandRef = builder.objectRef<PartnerBrand>('PartnerBrand').implement({
  description: 'What the pages and widgets of a partner look like in an environment.',
  interfaces: [BrandPartRef],
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Counts its changes; 0 if it was never set.',
    }),
  }),
})

builder.prismaObjectField(PartnerRef, 'brand', (t) =>
  t.field({
    type: PartnerBrandRef,
    description: "What its pages and widgets look like in the caller's environment.",
    resolve: ({ id: partnerId }, _, ctx) => {
      const { environment } = requireCaller(ctx, 'public', null)
      return load(ctx, findBrands, { partnerId, environment })
    },
  }),
)

mutation('updateBrand', {
  description:
    'Changes what the pages and widgets of the partner look like. Omitted fields are unchanged. Campaigns can replace each value.',
  key: 'secret',
  right: 'CAMPAIGNS_WRITE',
  input: UpdateBrand,
  payload: { brand: PartnerBrandRef },
  isVersioned: true,
  errors: [],
  resolve: async (input, ctx) => ({ brand: await updateBrand(ctx, input) }),
})

mutation('copyBrandToLive', {
  description:
    'Replaces the brand in LIVE by the one in TEST. Keys cannot do it, because each belongs to one environment.',
  key: 'member',
  right: 'CAMPAIGNS_WRITE',
  payload: { brand: PartnerBrandRef },
  errors: [],
  resolve: async (_, ctx, { partnerId }) => ({ brand: await copyBrandToLive(ctx, partnerId) }),
})
