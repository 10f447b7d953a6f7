import { z } from 'zod'
import { builder } from '../core/graphql/builder.ts'
import { equal, isSet } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { rows } from '../core/graphql/rows.ts'
import { flag, oneOf } from '../core/validation.ts'
import { ApplicationStatus } from '../generated/prisma/enums.ts'
import {
  CreateApplication,
  CreatePartner,
  createApplication,
  createPartner,
  SetApplicationStatus,
  SetPartnerClosed,
  setApplicationStatus,
  setPartnerClosed,
  UpdateApplication,
  updateApplication,
} from './partner.ts'

export const PartnerRef = builder.prismaObject('Partner', {
  description: 'A customer of Tessera, as administrators see it.',
  fields: (t) => ({
    partnerId: t.exposeString('id', { description: 'UUID of the partner.' }),
    slug: t.exposeString('slug'),
    name: t.exposeString('name', { description: 'Display name.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
  }),
})

const ApplicationStatusRef = enumType('ApplicationStatus', 'Whether the keys of it are good.', {
  ACTIVE: 'They are.',
  INACTIVE: 'They answer 403 `Application is not active`.',
})

const PublicProfilesRef = enumType(
  'PublicProfiles',
  'How much of profiles the REST routes of user journeys show to public keys. GraphQL shows them nothing personal.',
  {
    FULL: 'Everything.',
    MASKED:
      'Only what public keys have set of e-mail address, phone, tags and metadata; what a secret key has set is answered as unset.',
  },
)

const ApplicationRef = builder.prismaObject('Application', {
  fields: (t) => ({
    applicationId: t.exposeString('id', { description: 'UUID of the application.' }),
    name: t.exposeString('name', { description: 'What it is.' }),
    status: t.expose('status', {
      type: ApplicationStatusRef,
      description: 'Whether its keys are good.',
    }),
    publicProfiles: t.expose('publicProfiles', {
      type: PublicProfilesRef,
      description: 'What its public keys see of profiles.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

const PartnerFilter = z
  .object({
    isClosed: flag().nullish().describe('Only partners that are closed, or only the others.'),
  })
  .describe('Which partners.')

list('partners', {
  description: 'All partners, oldest first.',
  key: 'admin',
  of: PartnerRef,
  filter: PartnerFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By when they were made.' },
    SLUG: { by: ['slug'], description: 'By slug.' },
  },
  order: ['CREATED_AT', 'ASC'],
  from: ({ filter: { isClosed }, order, ctx }) =>
    rows(ctx.db.partner, { where: isSet({ closedAt: isClosed }), order }),
})

const ApplicationFilter = z
  .object({
    status: oneOf('ApplicationStatus', ApplicationStatus)
      .nullish()
      .describe('Only applications of this status.'),
  })
  .describe('Which applications.')

list('applications', {
  description: "The applications of the caller's partner, oldest first.",
  key: 'member',
  of: ApplicationRef,
  filter: ApplicationFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By when they were made.' } },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller: { partnerId }, filter, order, ctx }) =>
    rows(ctx.db.application, { where: { partnerId, ...equal(filter) }, order }),
})

mutation('createPartner', {
  description:
    'Makes a partner with a first application. Make its first member next (`createMember`); members make keys.',
  key: 'admin',
  input: CreatePartner,
  payload: PartnerRef as never,
  errors: ['PARTNER_SLUG_TAKEN'],
  resolve: (input, ctx) => createPartner(ctx, input),
})

mutation('setPartnerClosed', {
  description:
    "Closes a partner's account, or opens it again. Its data stays. While it is closed its keys and members are refused, its webhook deliveries wait, and its agents and games are not listed. Its matches are cancelled.",
  key: 'admin',
  input: SetPartnerClosed,
  payload: PartnerRef as never,
  errors: ['PARTNER_UNKNOWN', 'OWN_PARTNER'],
  resolve: (input, ctx, { partnerId }) => setPartnerClosed(ctx, partnerId, input),
})

mutation('createApplication', {
  description: "Makes an application of the caller's partner.",
  key: 'member',
  input: CreateApplication,
  payload: ApplicationRef as never,
  errors: [],
  resolve: ({ name }, ctx, { partnerId }) => createApplication(ctx, { partnerId, name }),
})

mutation('setApplicationStatus', {
  description: "Switches an application of the caller's partner on or off.",
  key: 'member',
  input: SetApplicationStatus,
  payload: ApplicationRef as never,
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: (input, ctx, { partnerId }) => setApplicationStatus(ctx, partnerId, input),
})

mutation('updateApplication', {
  description:
    "Changes an application of the caller's partner. Its keys follow within five seconds.",
  key: 'member',
  input: UpdateApplication,
  payload: ApplicationRef as never,
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: (input, ctx, { partnerId }) => updateApplication(ctx, partnerId, input),
})
