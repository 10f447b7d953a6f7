import { route } from '../route.ts'

export const member =
  'id: uuid email role partner @flatten { partnerId: uuid partnerName: name } createdAt'

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
