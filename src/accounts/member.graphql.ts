import { z } from 'zod'
import { MemberRole } from '../generated/prisma/enums.ts'
import { requireCaller } from '../kit/access/context.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { among, containing, equal, someOf } from '../kit/schema/filters.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { PlatformRef } from '../kit/schema/platform.ts'
import { rows } from '../kit/schema/rows.ts'
import { flag, title } from '../kit/validation.ts'
import {
  ChangePassword,
  CreateMember,
  changePassword,
  checkPasswordChange,
  createMember,
  deleteMember,
  hashNewMember,
  hashUpdate,
  memberId,
  UpdateMember,
  updateMember,
} from './member.ts'
import { findPartners } from './partner.ts'

export const MemberRoleRef = enumType('MemberRole', 'What a member may do.', {
  OWNER: 'Everything that concerns their own partner.',
  ADMIN: 'Everything but to make, change and delete owners.',
  EDITOR:
    'Campaigns, games, lotteries, journeys, and points by hand. Reads everything but keys and the audit log.',
  ANALYST: 'Reads and exports; changes nothing.',
  DEVELOPER: 'The arena: agents, games and their matches. Reads nothing else.',
})

export const MemberRef = builder.prismaNode('Member', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => {
    const { isOperator, partnerId, memberId, rights } = requireCaller(ctx, 'member', null)
    if (isOperator) return { id }
    // Members see themselves.
    return { id, partnerId, ...(!rights.includes('MEMBERS_READ') && { AND: { id: memberId } }) }
  },
  fields: (t) => ({
    email: t.exposeString('email'),
    role: t.expose('role', { type: MemberRoleRef, description: 'What the member may do.' }),
    isOperator: t.exposeBoolean('isOperator'),
    partner: t.relation('partner', {
      description: 'The partner that the member belongs to.',
      resolve: (_query, { partnerId }, _args, ctx) => load(ctx, findPartners, partnerId),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the member joined the partner.',
    }),
  }),
})

const MemberFilter = z
  .object({
    roles: someOf('MemberRole', MemberRole).nullish().describe('Only members with these roles.'),
    isOperator: flag().nullish().describe('true: only operators; false: only the others.'),
    search: title(255)
      .nullish()
      .describe('Only members whose e-mail address contains this; case-insensitive.'),
  })
  .describe('Conditions on members; all that are given must hold.')

const whereOf = ({ roles, isOperator, search }: z.output<typeof MemberFilter>) => ({
  ...among({ role: roles }),
  ...equal({ isOperator }),
  ...containing(search, ['email']),
})

const shared = {
  of: MemberRef,
  filter: MemberFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    EMAIL: { by: ['email', 'id'], description: 'By e-mail address.' },
  },
  orderName: 'CreatedAtOrEmail',
  order: ['CREATED_AT', 'ASC'],
} as const

list('members', {
  ...shared,
  description: "The members of the caller's partner, oldest first.",
  key: 'member',
  right: 'MEMBERS_READ',
  from: ({ caller: { partnerId }, filter, order, query, ctx }) =>
    rows(ctx.db.member, { where: { partnerId, ...whereOf(filter) }, order, query }),
})

list([PlatformRef, 'members'], {
  ...shared,
  description: 'The members of all partners, oldest first.',
  key: 'operator',
  from: ({ filter, order, query, ctx }) =>
    rows(ctx.db.member, { where: whereOf(filter), order, query }),
})

mutation('createMember', {
  description:
    "Creates a member of the caller's partner. Only an OWNER can create an OWNER, only an operator an operator or a member of another partner.",
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: CreateMember,
  payload: { member: MemberRef },
  errors: ['ADMIN_REQUIRED', 'RIGHT_REQUIRED', 'PARTNER_UNKNOWN', 'EMAIL_TAKEN'],
  prepare: (input, ctx) => hashNewMember(ctx, input),
  resolve: async (input, ctx, caller) => ({ member: await createMember(ctx, caller, input) }),
})

mutation('updateMember', {
  description:
    'Changes the role or password of a member. An operator can change any member, others those of their partner, and owners only as an OWNER.',
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: UpdateMember,
  payload: { member: MemberRef },
  errors: [
    'ADMIN_REQUIRED',
    'RIGHT_REQUIRED',
    'MEMBER_NOT_FOUND',
    'OWN_MEMBER',
    'OWN_PASSWORD',
    'LAST_OWNER',
  ],
  prepare: (input, ctx, caller) => hashUpdate(ctx, caller, input),
  resolve: async (input, ctx, caller) => ({ member: await updateMember(ctx, caller, input) }),
})

mutation('deleteMember', {
  description: 'Deletes a member and ends their sign-ins.',
  key: 'member',
  right: 'MEMBERS_WRITE',
  input: z.object({ memberId: memberId() }).describe('A member to delete.'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted member.' },
    member: { type: MemberRef, description: 'The deleted member, as they were last.' },
  },
  errors: ['ADMIN_REQUIRED', 'RIGHT_REQUIRED', 'MEMBER_NOT_FOUND', 'OWN_MEMBER', 'LAST_OWNER'],
  resolve: async (input, ctx, caller) => {
    const member = await deleteMember(ctx, caller, input.memberId)
    return { deletedId: encodeNodeId('Member', member.id), member }
  },
})

mutation('changePassword', {
  description: "Changes the caller's password and ends their other sign-ins.",
  key: 'member',
  right: 'OWN_ACCOUNT',
  input: ChangePassword,
  payload: { member: MemberRef },
  errors: ['ACCOUNT_LOCKED'],
  prepare: (input, ctx, caller) => checkPasswordChange(ctx, caller, input),
  resolve: async (input, ctx, caller) => ({ member: await changePassword(ctx, caller, input) }),
})

lookup('member', MemberRef, {
  description: 'A member of the partner; for an operator, of any partner.',
  key: 'member',
  right: 'MEMBERS_READ',
})
