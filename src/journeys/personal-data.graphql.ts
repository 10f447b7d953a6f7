import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { tenantOf } from '../core/tenant.ts'
import { EraseUser, type Erasure, eraseUser, exportUser, type UserExport } from './personal-data.ts'

const UserExportRef = builder.objectRef<UserExport>('UserExport').implement({
  description: 'All that is kept of a user.',
  fields: (t) => ({
    isComplete: t.exposeBoolean('isComplete', {
      description:
        'False when a list has more than 10,000 rows: the rest is in `timeline`, `history` and `plays`.',
    }),
    data: t.expose('data', {
      type: 'JSON',
      description:
        'user, profile, events, ledger, plays, campaigns, offers and stages, as they are stored.',
    }),
  }),
})

builder.queryField('exportUser', (t) =>
  t.field({
    type: UserExportRef,
    description: 'Everything that is kept of a user, to hand it over. Error USER_NOT_FOUND.',
    authScopes: { key: 'secret' },
    complexity: 1_000,
    args: {
      externalId: t.arg.string({ required: true, description: "The partner's id of the user." }),
    },
    resolve: (_, { externalId }, ctx) =>
      exportUser(ctx, tenantOf(requireCaller(ctx, 'secret')), externalId),
  }),
)

const EraseUserPayload = builder.objectRef<Erasure>('EraseUserPayload').implement({
  description: 'A user is forgotten.',
  fields: (t) => ({
    pseudonym: t.exposeString('pseudonym', {
      description: 'Under which the ledger keeps its numbers.',
    }),
    eventsErased: t.exposeInt('eventsErased', { description: 'Events that are gone.' }),
  }),
})

mutation('eraseUser', {
  description:
    'Forgets a user: what names the person is gone for ever, the ledger keeps its numbers under a pseudonym. The id is free again.',
  key: 'secret',
  input: EraseUser,
  payload: EraseUserPayload,
  errors: ['USER_NOT_FOUND'],
  resolve: ({ externalId }, ctx, caller) => eraseUser(ctx, tenantOf(caller), externalId),
})
