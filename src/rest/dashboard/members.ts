import { route } from '../route.ts'

const member = 'id: memberId email role partnerId partnerName createdAt'

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
    summary: 'Make a member',
    operation: `mutation ($input: CreateMemberInput!) {
      result: createMember(input: $input) { ... on Member { ${member} } ...Problem }
    }`,
    message: 'Member created successfully',
  }),
  route('PATCH /dashboard/members/{memberId}', {
    key: 'member',
    summary: "Change a member's role or password",
    operation: `mutation ($input: UpdateMemberInput!) {
      result: updateMember(input: $input) { ... on Member { ${member} } ...Problem }
    }`,
    message: 'Member updated successfully',
    notFound: 'MEMBER_NOT_FOUND',
  }),
  route('DELETE /dashboard/members/{memberId}', {
    key: 'member',
    summary: 'Remove a member',
    operation: `mutation ($input: RemoveMemberInput!) {
      result: removeMember(input: $input) {
        ... on RemoveMemberPayload { id: memberId email }
        ...Problem
      }
    }`,
    message: 'Member removed successfully',
    notFound: 'MEMBER_NOT_FOUND',
  }),
]
