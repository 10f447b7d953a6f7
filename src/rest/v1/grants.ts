import { route } from '../route.ts'
import { givenGrant } from './users.ts'

/** A route that moves a grant, with what its user reads. */
const move = (verb: 'fulfill' | 'fail' | 'cancel', summary: string, message: string) =>
  route(`POST /v1/grants/{grantId}/${verb}`, {
    key: 'secret',
    summary,
    operation: `mutation ($grantId: ID!, $message: String) {
      result: ${verb}Grant(input: { grantId: $grantId, message: $message }) {
        ... on ${verb[0]?.toUpperCase()}${verb.slice(1)}GrantPayload { grant @flatten { ${givenGrant} } }
        ...Problem
      }
    }`,
    message,
    notFound: 'GRANT_NOT_FOUND',
  })

export const grantRoutes = [
  move('fulfill', 'Note that an item or a code was handed out', 'Grant fulfilled successfully'),
  move('fail', 'Note that an item or a code could not be handed out', 'Grant failed'),
  move('cancel', 'Cancel a grant: the user has the price back', 'Grant cancelled successfully'),
]
