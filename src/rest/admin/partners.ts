import { route } from '../route.ts'

const partner = 'id: partnerId slug name createdAt closedAt'

export const adminPartners = [
  route('GET /admin/partners', {
    key: 'admin',
    summary: 'List all partners, oldest first',
    operation: `query ($page: String, $limit: Int) {
      result: partners(first: $limit, after: $page) {
        data: nodes { ${partner} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Partners retrieved successfully',
    list: true,
  }),
  route('POST /admin/partners', {
    key: 'admin',
    summary: 'Make a partner with a first application',
    operation: `mutation ($input: CreatePartnerInput!) {
      result: createPartner(input: $input) { ... on Partner { ${partner} } ...Problem }
    }`,
    message: 'Partner created successfully',
  }),
  route('PATCH /admin/partners/{partnerId}', {
    key: 'admin',
    summary: "Close a partner's account, or open it again",
    operation: `mutation ($input: SetPartnerClosedInput!) {
      result: setPartnerClosed(input: $input) { ... on Partner { ${partner} } ...Problem }
    }`,
    message: 'Partner updated successfully',
    notFound: 'PARTNER_UNKNOWN',
  }),
]
