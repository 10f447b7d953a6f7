import { z } from 'zod'
import { ApplicationStatus } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { equal } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { rows } from '../kit/schema/rows.ts'
import { checkOutgoingUrl } from '../kit/security/address.ts'
import { oneOf } from '../kit/validation.ts'
import {
  CreateApplication,
  createApplication,
  UpdateApplication,
  updateApplication,
} from './partner.ts'

const ApplicationStatusRef = enumType(
  'ApplicationStatus',
  'Whether the keys of an application are accepted.',
  {
    ACTIVE: 'Its keys are accepted.',
    INACTIVE: 'Its keys get 403 `Application is not active`.',
  },
)

const PublicProfilesRef = enumType(
  'PublicProfiles',
  'How much of profiles the REST routes of user journeys show to public keys. GraphQL shows them no personal data.',
  {
    FULL: 'Everything.',
    MASKED:
      'E-mail address, phone, tags and metadata only if a public key has set them. What a secret key has set appears as unset.',
  },
)

const UserTokensRef = enumType(
  'UserTokens',
  'Whether a public key that names a user must be sent with a token of that user, in `X-User-Token`.',
  {
    OPTIONAL: 'A public key alone may name any user. With a token, it may only name its user.',
    REQUIRED: 'A public key alone may name no user.',
  },
)

export const ApplicationRef = builder.prismaNode('Application', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, partnerId: requireCaller(ctx, 'secret', 'KEYS_READ').partnerId }),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is: a website, an app, a backend.' }),
    status: t.expose('status', {
      type: ApplicationStatusRef,
      description: 'Whether its keys are accepted.',
    }),
    publicProfiles: t.expose('publicProfiles', { type: PublicProfilesRef }),
    userTokens: t.expose('userTokens', { type: UserTokensRef }),
    userTokenJwksUrl: t.exposeString('userTokenJwksUrl', { nullable: true }),
    userTokenKeys: t.expose('userTokenKeys', { type: 'JSON', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

const ApplicationFilter = z
  .object({
    status: oneOf('ApplicationStatus', ApplicationStatus)
      .nullish()
      .describe('Only applications of this status.'),
  })
  .describe('Filters applications.')

list('applications', {
  description: "The applications of the caller's partner, oldest first.",
  key: 'member',
  right: 'KEYS_READ',
  of: ApplicationRef,
  filter: ApplicationFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller: { partnerId }, filter, order, ctx }) =>
    rows(ctx.db.application, { where: { partnerId, ...equal(filter) }, order }),
})

mutation('createApplication', {
  description: "Creates an application of the caller's partner.",
  key: 'member',
  right: 'KEYS_WRITE',
  input: CreateApplication,
  payload: { application: ApplicationRef },
  errors: [],
  resolve: async ({ name }, ctx, { partnerId }) => ({
    application: await createApplication(ctx, { partnerId, name }),
  }),
})

mutation('updateApplication', {
  description:
    "Changes an application of the caller's partner. Its keys follow within five seconds.",
  key: 'member',
  right: 'KEYS_WRITE',
  input: UpdateApplication,
  payload: { application: ApplicationRef },
  errors: ['APPLICATION_NOT_FOUND'],
  prepare: async (input, { config }) => ({
    ...input,
    ...(input.userTokenJwksUrl && {
      userTokenJwksUrl: await checkOutgoingUrl(
        input.userTokenJwksUrl,
        { environment: 'LIVE' },
        config.webhookAllowPrivate,
        'userTokenJwksUrl',
      ),
    }),
  }),
  resolve: async (input, ctx, { partnerId }) => ({
    application: await updateApplication(ctx, partnerId, input),
  }),
})
