import { z } from 'zod'
import { flag } from '../../kit/validation.ts'
import { route } from '../route.ts'

const partner = 'id: uuid slug name createdAt closedAt'

const change = (name: 'closePartner' | 'reopenPartner') =>
  `mutation ($partnerId: ID!) {
    result: ${name}(input: { partner: { id: $partnerId } }) {
      ... on ${name === 'closePartner' ? 'ClosePartnerPayload' : 'ReopenPartnerPayload'} {
        partner @flatten { ${partner} }
      }
      ...Problem
    }
  }`

export const adminPartners = [
  route('GET /admin/partners', {
    key: 'operator',
    summary: 'List all partners, oldest first',
    operation: `query ($page: String, $limit: Int) {
      platform {
        result: partners(first: $limit, after: $page) {
          data: nodes { ${partner} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Partners retrieved successfully',
    list: true,
  }),
  route('POST /admin/partners', {
    key: 'operator',
    summary: 'Create a partner with a first application',
    operation: `mutation ($input: CreatePartnerInput!) {
      result: createPartner(input: $input) {
        ... on CreatePartnerPayload { partner @flatten { ${partner} } }
        ...Problem
      }
    }`,
    message: 'Partner created successfully',
  }),
  route('PATCH /admin/partners/{partnerId}', {
    key: 'operator',
    summary: "Close or reopen a partner's account",
    operation: {
      by: z
        .object({ closed: flag().describe('Whether the account is closed.') })
        .describe('A partner to close or to open again.'),
      true: change('closePartner'),
      false: change('reopenPartner'),
    },
    message: 'Partner updated successfully',
    notFound: 'PARTNER_UNKNOWN',
  }),
]
