import { oneOf } from '../../kit/validation.ts'
import type { Form } from '../forms.ts'
import { route } from '../route.ts'

export const member =
  'id: uuid email role: isOperator @words(true: ADMIN, other: DEVELOPER) partner @flatten { partnerId: uuid partnerName: name } createdAt'

/** REST has two roles: ADMIN for operators, DEVELOPER for everybody else. */
const role = (description: string, read: Form['read'], absent?: unknown): Form => ({
  name: 'role',
  schema: () =>
    oneOf('MemberRole', { DEVELOPER: 'DEVELOPER', ADMIN: 'ADMIN' }).nullish().describe(description),
  read,
  absent,
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
    forms: {
      role: role(ofNew, () => 'OWNER', 'OWNER'),
      isOperator: role(ofNew, (value) => value === 'ADMIN'),
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
        ... on DeleteMemberPayload { member @flatten { id: uuid email } }
        ...Problem
      }
    }`,
    message: 'Member removed successfully',
    notFound: 'MEMBER_NOT_FOUND',
  }),
]
