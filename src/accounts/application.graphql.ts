import { z } from 'zod'
import type { Application } from '../generated/prisma/client.ts'
import { ApplicationStatus } from '../generated/prisma/enums.ts'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { versioned, versionField } from '../kit/schema/expected-version.ts'
import { among, someOf } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { rows } from '../kit/schema/rows.ts'
import { checkOutgoingUrl } from '../kit/security/address.ts'
import { keysOf } from './actor.ts'
import {
  CreateApplication,
  createApplication,
  setApplicationStatus,
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

const PublicProfileVisibilityRef = enumType(
  'PublicProfileVisibility',
  'How much of profiles the REST routes of user journeys show to public keys. GraphQL shows them no personal data.',
  {
    FULL: 'Everything, whichever key has set it.',
    MASKED:
      'E-mail address, phone, tags and metadata only if a public key has set them. What a secret key has set appears as unset.',
  },
)

const UserTokenPolicyRef = enumType(
  'UserTokenPolicy',
  'Whether a public key that names a user must be sent with a token of that user, in `X-User-Token`.',
  {
    OPTIONAL: 'A public key alone may name any user. With a token, it may only name its user.',
    REQUIRED: 'A public key alone may name no user.',
  },
)

const UserTokenSignerRef = builder
  .objectRef<Pick<Application, 'userTokenJwksUrl' | 'userTokenKeys'>>('UserTokenSigner')
  .implement({
    description: 'The keys that sign user tokens, or where they are published.',
    fields: (t) => ({
      jwksUrl: t.expose('userTokenJwksUrl', {
        type: 'URL',
        nullable: true,
        description: 'Where the keys are published, as a JWKS; null if they are registered.',
      }),
      jwks: t.expose('userTokenKeys', {
        type: 'JSON',
        nullable: true,
        description: 'The registered public keys, as a JWKS; null if they are published.',
      }),
    }),
  })

/** A key also sees its own application, through itself. */
const visibleApplication = (id: string, ctx: Context) => {
  const isOwn = keysOf(ctx).some(({ applicationId }) => applicationId === id)
  const { partnerId } = isOwn
    ? requireCaller(ctx, 'public', null)
    : requireCaller(ctx, 'secret', 'KEYS_READ')
  return { id, partnerId }
}

const ApplicationRef = builder.prismaNode('Application', {
  id: { field: 'id' },
  nullable: true,
  findUnique: visibleApplication,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is: a website, an app, a backend.' }),
    status: t.expose('status', {
      type: ApplicationStatusRef,
      description: 'Whether its keys are accepted.',
    }),
    publicProfileVisibility: t.expose('publicProfiles', { type: PublicProfileVisibilityRef }),
    userTokenPolicy: t.expose('userTokens', { type: UserTokenPolicyRef }),
    userTokenSigner: t.field({
      type: UserTokenSignerRef,
      nullable: true,
      description: "The keys that sign the partner's own user tokens; null if there are none.",
      resolve: (application) =>
        application.userTokenJwksUrl === null && application.userTokenKeys === null
          ? null
          : application,
    }),
    version: t.exposeInt('version', versionField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})

versioned(ApplicationRef)

const ApplicationFilter = z
  .object({
    statuses: someOf('ApplicationStatus', ApplicationStatus)
      .nullish()
      .describe('Only applications of these statuses.'),
  })
  .describe('A condition on applications. Without it, the list has all.')

list('applications', {
  description: "The applications of the caller's partner, oldest first.",
  key: 'member',
  right: 'KEYS_READ',
  of: ApplicationRef,
  filter: ApplicationFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller: { partnerId }, filter: { statuses }, order, ctx }) =>
    rows(ctx.db.application, { where: { partnerId, ...among({ status: statuses }) }, order }),
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
  isVersioned: true,
  payload: { application: ApplicationRef },
  errors: ['APPLICATION_NOT_FOUND'],
  prepare: async (input, { config }) => {
    const { jwksUrl } = input.userTokenSigner ?? {}
    if (jwksUrl === undefined) return input
    const [of, field] = [{ environment: 'LIVE' } as const, 'userTokenSigner.jwksUrl']
    const url = await checkOutgoingUrl(jwksUrl, of, config.webhookAllowPrivate, field)
    return { ...input, userTokenSigner: { jwksUrl: url } }
  },
  resolve: async (input, ctx, { partnerId }) => ({
    application: await updateApplication(ctx, partnerId, input),
  }),
})

const anApplication = () =>
  z
    .object({
      applicationId: nodeId('Application').describe(
        'The application, by its global id or its UUID.',
      ),
    })
    .describe('The application whose keys are accepted or refused.')

mutation('activateApplication', {
  description: 'Accepts the keys of an application again, within five seconds.',
  key: 'member',
  right: 'KEYS_WRITE',
  input: anApplication(),
  payload: { application: ApplicationRef },
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: async (input, ctx, { partnerId }) => ({
    application: await setApplicationStatus(ctx, { ...input, partnerId, status: 'ACTIVE' }),
  }),
})

mutation('deactivateApplication', {
  description: 'Refuses all keys of an application within five seconds, until it is activated.',
  key: 'member',
  right: 'KEYS_WRITE',
  input: anApplication(),
  payload: { application: ApplicationRef },
  errors: ['APPLICATION_NOT_FOUND'],
  resolve: async (input, ctx, { partnerId }) => ({
    application: await setApplicationStatus(ctx, { ...input, partnerId, status: 'INACTIVE' }),
  }),
})
