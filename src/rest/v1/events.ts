import { route } from '../route.ts'

export const events = [
  route('GET /v1/events', {
    key: 'secret',
    summary:
      'List events of the last 30 days or more, oldest first; go on with `after` until the list is empty',
    operation: `query ($after: ID, $types: [String!], $limit: Int) {
      result: events(filter: { afterEventId: $after, names: $types }, first: $limit) {
        data: nodes { id: uuid event: name data: payload timestamp: occurredAt }
      }
    }`,
    paging: { meta: ['limit'] },
    message: 'Events retrieved successfully',
    list: true,
    errors: ['EVENT_NOT_FOUND'],
  }),
]
