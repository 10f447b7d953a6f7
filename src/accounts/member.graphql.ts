import { z } from 'zod'
import { requireCaller } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { equal } from '../core/graphql/filters.ts'
import { enumType } from '../core/graphql/input.ts'
import { list } from '../core/graphql/list.ts'
import { mutation } from '../core/graphql/mutation.ts'
import { rows } from '../core/graphql/rows.ts'
import { oneOf, text } from '../core/validation.ts'
import type { Member } from '../generated/prisma/client.ts'
import { MemberRole } from '../generated/prisma/enums.ts'
import {
  ChangePassword,
  CreateMember,
  changePassword,
  createMember,
  RemoveMember,
  removeMember,
  UpdateMember,
  updateMember,
} from './member.ts'
import { refreshTokens, SignIn, signIn, signOut, type Tokens } from './sign-in.ts'

const MemberRoleRef = enumType('MemberRole', 'What a member may do.', {
  DEVELOPER: 'Everything of their own partner.',
  ADMIN: 'Also what concerns all partners: reviews, public lotteries.',
})

const MemberRef = builder.prismaObject('Member', {
  fields: (t) => ({
    memberId: t.exposeString('id', { description: 'UUID of the member.' }),
    email: t.exposeString('email'),
    role: t.expose('role', { type: MemberRoleRef, description: 'What they may do.' }),
    partnerId: t.exposeString('partnerId', { description: 'UUID of their partner.' }),
    partnerName: t.string({
      description: 'Name of their partner.',
      select: { partner: { select: { name: true } } },
      resolve: ({ partner }) => partner.name,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they joined.' }),
  }),
})

builder.queryField('me', (t) =>
  t.prismaField({
    type: MemberRef,
    description: 'The member who has signed in.',
    authScopes: { key: 'member' },
    resolve: (query, _, __, ctx) =>
      ctx.db.member.findUniqueOrThrow({
        ...query,
        where: { id: requireCaller(ctx, 'member').memberId },
      }),
  }),
)

const tokenFields = builder.interfaceRef<Tokens>('Tokens').implement({
  description: 'Tokens of a sign-in.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'For `Authorization: Bearer …`.' }),
    tokenType: t.string({ description: 'Always `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'Seconds until the access token ends.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Gives the next tokens, once, within 30 days.',
    }),
  }),
})

const SignInPayload = builder.objectRef<Tokens & { member: Member }>('SignInPayload').implement({
  description: 'A member has signed in.',
  interfaces: [tokenFields],
  fields: (t) => ({
    member: t.field({ type: MemberRef, description: 'Who.', resolve: ({ member }) => member }),
  }),
})

mutation('signIn', {
  description: 'Signs a member in by e-mail address and password.',
  key: 'anyone',
  input: SignIn,
  payload: SignInPayload,
  errors: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'PARTNER_NOT_FOUND', 'RATE_LIMITED'],
  resolve: (input, ctx) => signIn(ctx, input, ctx.ip),
})

const RefreshTokensPayload = builder.objectRef<Tokens>('RefreshTokensPayload').implement({
  description: 'The next tokens of a sign-in.',
  interfaces: [tokenFields],
})

mutation('refreshTokens', {
  description:
    'Gives new tokens for a refresh token. One that is used a second time ends the sign-in: it was stolen.',
  key: 'anyone',
  input: z
    .object({ refreshToken: text(255).describe('The newest refresh token of the sign-in.') })
    .describe('A sign-in to go on with.'),
  payload: RefreshTokensPayload,
  errors: ['INVALID_REFRESH_TOKEN', 'PARTNER_NOT_FOUND'],
  resolve: ({ refreshToken }, ctx) => refreshTokens(ctx, refreshToken),
})

const SignOutPayload = builder.objectRef<{ signedOut: true }>('SignOutPayload').implement({
  description: 'The sign-in has ended.',
  fields: (t) => ({ signedOut: t.exposeBoolean('signedOut', { description: 'Always true.' }) }),
})

mutation('signOut', {
  description: 'Ends the sign-in whose access token makes this request.',
  key: 'member',
  payload: SignOutPayload,
  errors: [],
  resolve: async (_, ctx, caller) => {
    await signOut(ctx, caller)
    return { signedOut: true }
  },
})

const ofAllArgs = builder.args((t) => ({
  ofAll: t.boolean({ description: 'Of all partners; needs the role ADMIN.' }),
}))

const MemberFilter = z
  .object({
    role: oneOf('MemberRole', MemberRole).nullish().describe('Only members of this role.'),
  })
  .describe('Which members.')

list('members', {
  description: "The members of the caller's partner, oldest first; an ADMIN may ask for all.",
  key: 'member',
  of: MemberRef,
  filter: MemberFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By when they joined.' },
    EMAIL: { by: ['email', 'id'], description: 'By e-mail address.' },
  },
  order: ['CREATED_AT', 'ASC'],
  args: ofAllArgs,
  from: ({ caller: { partnerId }, filter, order, args: { ofAll }, ctx }) => {
    if (ofAll) requireCaller(ctx, 'admin')
    return rows(ctx.db.member, {
      where: { ...(!ofAll && { partnerId }), ...equal(filter) },
      include: { partner: { select: { name: true } } },
      order,
    })
  },
})

mutation('createMember', {
  description:
    "Makes a member of the caller's partner. Only an ADMIN can make an ADMIN, or a member of another partner.",
  key: 'member',
  input: CreateMember,
  payload: MemberRef as never,
  errors: ['ADMIN_REQUIRED', 'PARTNER_UNKNOWN', 'EMAIL_TAKEN'],
  resolve: (input, ctx, caller) => createMember(ctx, caller, input),
})

mutation('updateMember', {
  description:
    "Changes role or password of a member: an ADMIN of anybody, others of their partner's DEVELOPERs.",
  key: 'member',
  input: UpdateMember,
  payload: MemberRef as never,
  errors: ['ADMIN_REQUIRED', 'MEMBER_NOT_FOUND', 'OWN_MEMBER', 'OWN_PASSWORD'],
  resolve: (input, ctx, caller) => updateMember(ctx, caller, input),
})

const RemoveMemberPayload = builder.objectRef<Member>('RemoveMemberPayload').implement({
  description: 'A member was removed.',
  fields: (t) => ({
    memberId: t.exposeString('id', { description: 'UUID that the member had.' }),
    email: t.exposeString('email', { description: 'Their e-mail address.' }),
  }),
})

mutation('removeMember', {
  description: 'Removes a member and ends their sign-ins; gives who it was.',
  key: 'member',
  input: RemoveMember,
  payload: RemoveMemberPayload,
  errors: ['ADMIN_REQUIRED', 'MEMBER_NOT_FOUND', 'OWN_MEMBER'],
  resolve: ({ memberId }, ctx, caller) => removeMember(ctx, caller, memberId),
})

mutation('changePassword', {
  description: 'Gives the caller a new password; their other sign-ins end.',
  key: 'member',
  input: ChangePassword,
  payload: MemberRef as never,
  errors: ['ACCOUNT_LOCKED'],
  resolve: (input, ctx, caller) => changePassword(ctx, caller, input),
})
