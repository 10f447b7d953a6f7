import { route } from '../route.ts'

const partner = 'id: partnerId slug name createdAt closedAt'

export const adminPartners = [
  route('GET /admin/partners', {
    key: 'admin',
    summary: 'List all partners, oldest first',
    operation: `query ($page: Int, $limit: Int) {
      result: partners(page: $page, limit: $limit) {
        data: nodes { ${partner} }
        meta: pagination { page limit total totalPages }
      }
    }`,
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
    errors: ['PARTNER_SLUG_TAKEN'],
  }),
  route('PATCH /admin/partners/{partnerId}', {
    key: 'admin',
    summary: "Close a partner's account, or open it again",
    operation: `mutation ($input: SetPartnerClosedInput!) {
      result: setPartnerClosed(input: $input) { ... on Partner { ${partner} } ...Problem }
    }`,
    message: 'Partner updated successfully',
    errors: ['PARTNER_UNKNOWN', 'OWN_PARTNER'],
    notFound: 'PARTNER_UNKNOWN',
  }),
]
