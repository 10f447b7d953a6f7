import { z } from 'zod'
import { oneOf } from '../../kit/validation.ts'
import { type Form, keyOf } from '../codecs.ts'
import { answer, fragment, route } from '../route.ts'

export const member =
  'id: uuid email role: isOperator partner @flatten { partnerId: uuid partnerName: name } createdAt'

const memberSchema = z
  .object({
    id: z.string().describe('The id as used in REST and events.'),
    email: z.string().describe('The address that the member signs in with.'),
    role: z.enum(['ADMIN', 'DEVELOPER']).describe('ADMIN for operators of the platform.'),
    partnerId: z.string().describe('The partner of the member.'),
    partnerName: z.string().describe('Name of the partner.'),
    createdAt: z.iso.datetime().describe('When the member was created.'),
  })
  .meta({ title: 'Member', about: 'A member who signs in to the dashboard.' })

// biome-ignore lint/suspicious/noExplicitAny: the selection above
const memberOf = (selected: any): z.input<typeof memberSchema> => ({
  ...selected,
  role: selected.role ? 'ADMIN' : 'DEVELOPER',
})

export const memberAnswer = answer(memberSchema, memberOf)

const memberList = answer(
  z.object({ data: z.array(memberSchema).describe('The items of the page.') }),
  (list) => ({
    ...list,
    data: list.data.map(memberOf),
  }),
)

export const memberAddress = fragment('MemberAddress on Member', 'id: uuid email')

/** REST has two roles: ADMIN for operators, DEVELOPER for everybody else. */
const role = (description: string, read: Form['read'], absent?: unknown): Form => ({
  name: 'role',
  schema: () =>
    oneOf('MemberRole', { DEVELOPER: 'DEVELOPER', ADMIN: 'ADMIN' }).nullish().describe(description),
  read,
  absent: () => absent,
})

const ofNew = 'Defaults to DEVELOPER. Only an ADMIN can create an ADMIN.'
const ofKnown = 'New role. Requires an ADMIN.'

export const members = [
  route('GET /dashboard/members', {
    key: 'member',
    summary: "List the partner's members, oldest first",
    operation: `query ($page: String, $limit: Int) {
      result: members(first: $limit, after: $page) {
        data: nodes { ${member} }
        totalCount { value }
      }
    }`,
    answer: memberList,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Members retrieved successfully',
    list: true,
  }),
  route('POST /dashboard/members', {
    key: 'member',
    summary: 'Create a member',
    operation: `mutation ($input: CreateMemberInput!) {
      result: createMember(input: $input) {
        ... on CreateMemberPayload { member @flatten { ${member} } }
        ...Problem
      }
    }`,
    answer: memberAnswer,
    forms: {
      role: role(ofNew, () => 'OWNER', 'OWNER'),
      isOperator: role(ofNew, (value) => value === 'ADMIN'),
      partner: keyOf('partnerId'),
    },
    message: 'Member created successfully',
  }),
  route('PATCH /dashboard/members/{memberId}', {
    key: 'member',
    summary: "Change a member's role or password",
    operation: `mutation ($input: UpdateMemberInput!) {
      result: updateMember(input: $input) {
        ... on UpdateMemberPayload { member @flatten { ${member} } }
        ...Problem
      }
    }`,
    answer: memberAnswer,
    forms: {
      role: role(ofKnown, () => undefined),
      isOperator: role(ofKnown, (value) => value && value === 'ADMIN'),
    },
    message: 'Member updated successfully',
    notFound: 'MEMBER_NOT_FOUND',
  }),
  route('DELETE /dashboard/members/{memberId}', {
    key: 'member',
    summary: 'Delete a member',
    operation: `mutation ($input: DeleteMemberInput!) {
      result: deleteMember(input: $input) {
        ... on DeleteMemberPayload { member @flatten { ${memberAddress} } }
        ...Problem
      }
    }`,
    message: 'Member removed successfully',
    notFound: 'MEMBER_NOT_FOUND',
  }),
]
