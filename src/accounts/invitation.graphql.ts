import { z } from 'zod'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { rows } from '../kit/schema/rows.ts'
import { flag } from '../kit/validation.ts'
import {
  AcceptInvitation,
  acceptInvitation,
  findPublicInvitation,
  InviteMember,
  inviteMember,
  openAt,
  prepareAcceptance,
  RevokeInvitation,
  revokeInvitation,
} from './invitation.ts'
import { MemberRef, MemberRoleRef } from './member.graphql.ts'

const InvitationRef = builder.prismaNode('Invitation', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({
    id,
    partnerId: requireCaller(ctx, 'member', 'MEMBERS_READ').partnerId,
  }),
  fields: (t) => ({
    email: t.exposeString('email'),
    role: t.expose('role', { type: MemberRoleRef, description: 'The role of the new member.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was made, or renewed.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    acceptedAt: t.expose('acceptedAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
})

const InvitationFilter = z
  .object({
    isOpen: flag()
      .nullish()
      .describe('true: neither accepted, nor revoked, nor expired; false: only the others.'),
  })
  .describe('Filters invitations.')

list('invitations', {
  description: "The invitations of the member's partner, oldest first.",
  key: 'member',
  right: 'MEMBERS_READ',
  of: InvitationRef,
  filter: InvitationFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    EMAIL: { by: ['email', 'id'], description: 'By e-mail address.' },
  },
  orderName: 'CreatedAtOrEmail',
  order: ['CREATED_AT', 'ASC'],
  from: ({ caller: { partnerId }, filter: { isOpen }, order, ctx }) => {
    const open = openAt(ctx.clock())
    return rows(ctx.db.invitation, {
      where: { partnerId, ...(isOpen === true && open), ...(isOpen === false && { NOT: open }) },
      order,
    })
  },
})

mutation('inviteMember', {
  description:
    'Invites a person to become a member: a link, valid once, for seven days. Inviting an address again renews its invitation, and the link before is no longer valid. Only an OWNER can renew the invitation of an OWNER. An operator can invite to any partner.',
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: InviteMember,
  payload: {
    invitation: InvitationRef,
    link: {
      type: 'URL',
      nullable: true,
      description:
        'The link to pass on, shown only here. Null if it is sent to the address by mail.',
    },
  },
  errors: ['ADMIN_REQUIRED', 'RIGHT_REQUIRED', 'PARTNER_UNKNOWN', 'EMAIL_TAKEN', 'RATE_LIMITED'],
  resolve: (input, ctx, caller) => inviteMember(ctx, caller, input),
})

mutation('revokeInvitation', {
  description:
    'Revokes an invitation. Its link is no longer valid. Only an OWNER can revoke the invitation of an OWNER.',
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: RevokeInvitation,
  payload: { invitation: InvitationRef },
  errors: ['RIGHT_REQUIRED', 'INVITATION_NOT_FOUND', 'INVITATION_ACCEPTED'],
  resolve: async ({ invitationId }, ctx, caller) => ({
    invitation: await revokeInvitation(ctx, caller, invitationId),
  }),
})

type PublicInvitation = NonNullable<Awaited<ReturnType<typeof findPublicInvitation>>>

const PublicInvitationRef = builder.objectRef<PublicInvitation>('PublicInvitation')

builder.objectType(PublicInvitationRef, {
  description: 'An open invitation, as the holder of its link sees it before accepting it.',
  fields: (t) => ({
    partnerName: t.exposeString('partnerName', { description: 'The partner to join.' }),
    invitedBy: t.exposeString('invitedBy', {
      nullable: true,
      description: 'E-mail address of the member who invited them; null if they left.',
    }),
    email: t.exposeString('email', {
      description: 'The address that the new member signs in with.',
    }),
    role: t.expose('role', { type: MemberRoleRef, description: 'The role of the new member.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link expires.' }),
  }),
})

query('publicInvitation', {
  description:
    'The invitation of a link, before it is accepted. Null if the link is not valid, or no longer valid.',
  key: 'anyone',
  args: z.object({ token: AcceptInvitation.shape.token }),
  type: PublicInvitationRef,
  nullable: true,
  resolve: ({ token }, ctx) => findPublicInvitation(ctx, token),
})

mutation('acceptInvitation', {
  description: 'Accepts an invitation by the token of its link. The new member then signs in.',
  key: 'anyone',
  input: AcceptInvitation,
  payload: { member: MemberRef },
  errors: [
    'INVALID_INVITATION',
    'INVITATION_ACCEPTED',
    'PARTNER_NOT_FOUND',
    'EMAIL_TAKEN',
    'RATE_LIMITED',
  ],
  prepare: (input, ctx) => prepareAcceptance(ctx, input, ctx.ip),
  resolve: async (prepared, ctx) => ({ member: await acceptInvitation(ctx, prepared) }),
})
