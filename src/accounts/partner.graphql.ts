import { z } from 'zod'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { containing, isSet } from '../kit/schema/filters.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { PlatformRef } from '../kit/schema/platform.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { flag, title } from '../kit/validation.ts'
import {
  CreatePartner,
  closePartner,
  createPartner,
  findPartnerBy,
  PartnerBy,
  partnerIdOf,
  reopenPartner,
  UpdatePartner,
  updatePartner,
} from './partner.ts'

/** A partner, if it is the caller's own or the caller is an operator. */
const visiblePartner = (id: string, ctx: Context) => {
  const caller = requireCaller(ctx, 'public', null)
  const isOperator = caller.kind === 'member' && caller.isOperator
  return { id, ...(!isOperator && { AND: { id: caller.partnerId } }) }
}

export const PartnerRef = builder.prismaNode('Partner', {
  description: 'A customer of Tessera. Owns applications and all data in both environments.',
  id: { field: 'id' },
  nullable: true,
  findUnique: visiblePartner,
  fields: (t) => ({
    slug: t.exposeString('slug'),
    name: t.exposeString('name', {
      description: 'Name shown to its members and on its public pages.',
    }),
    timeZone: t.expose('timeZone', {
      type: 'TimeZone',
      description:
        "The time zone in which times are shown to people of the partner and read from them, and shown on its pages for players; `UTC` until one is set. Days of users follow the users' own zones and `defaultTimeZone`.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
  }),
})

const PartnerFilter = z
  .object({
    isClosed: flag().nullish().describe('true: only closed partners; false: only the others.'),
    search: title(255)
      .nullish()
      .describe('Only partners whose name or slug contains this; case-insensitive.'),
  })
  .describe('Conditions on partners; all that are given must hold.')

list([PlatformRef, 'partners'], {
  description: 'All partners, oldest first.',
  key: 'operator',
  of: PartnerRef,
  filter: PartnerFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    SLUG: { by: ['slug'], description: 'By slug, of which no two are the same.' },
    NAME: { by: ['name', 'id'], description: 'By name, and among equals by time of creation.' },
  },
  order: ['CREATED_AT', 'ASC'],
  from: ({ filter: { isClosed, search }, order, ctx }) =>
    rows(ctx.db.partner, {
      where: { ...isSet({ closedAt: isClosed }), ...containing(search, ['name', 'slug']) },
      order,
    }),
})

query([PlatformRef, 'partner'], {
  description: 'A partner, open or closed.',
  key: 'operator',
  args: z.object({ by: PartnerBy }),
  type: PartnerRef,
  nullable: true,
  resolve: ({ by }, ctx) => findPartnerBy(ctx, by),
})

mutation('createPartner', {
  description:
    'Creates a partner with a first application. Next, create its first member with `createMember`; members create keys.',
  key: 'operator',
  input: CreatePartner,
  payload: { partner: PartnerRef },
  errors: ['PARTNER_SLUG_TAKEN'],
  resolve: async (input, ctx) => ({ partner: await createPartner(ctx, input) }),
})

mutation('updatePartner', {
  description: 'Renames a partner.',
  key: 'operator',
  input: UpdatePartner,
  payload: { partner: PartnerRef },
  errors: ['PARTNER_UNKNOWN'],
  resolve: async ({ partner, name }, ctx) => {
    const partnerId = await partnerIdOf(ctx, partner)
    return { partner: await updatePartner(ctx, { partnerId, name }) }
  },
})

mutation('closePartner', {
  description:
    "Closes a partner's account. Its data is kept. Its keys and members are refused, its webhook deliveries wait, its agents and games are not listed, and its matches are cancelled.",
  key: 'operator',
  input: z
    .object({ partner: PartnerBy.describe('The partner, by id or slug.') })
    .describe('A partner to close.'),
  payload: { partner: PartnerRef },
  errors: ['PARTNER_UNKNOWN', 'OWN_PARTNER'],
  resolve: async ({ partner }, ctx, caller) => ({
    partner: await closePartner(ctx, caller.partnerId, await partnerIdOf(ctx, partner)),
  }),
})

mutation('reopenPartner', {
  description: "Reopens a closed partner's account.",
  key: 'operator',
  input: z
    .object({ partner: PartnerBy.describe('The partner, by id or slug.') })
    .describe('A partner to reopen.'),
  payload: { partner: PartnerRef },
  errors: ['PARTNER_UNKNOWN'],
  resolve: async ({ partner }, ctx) => ({
    partner: await reopenPartner(ctx, await partnerIdOf(ctx, partner)),
  }),
})
