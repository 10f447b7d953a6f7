/** The kinds of events, for clients that offer a choice. */

import { builder } from '../kit/schema/builder.ts'
import { query } from '../kit/schema/query.ts'
import type { EventKind } from '../kit/streams/events.ts'
import { groupOf } from './event-pattern.ts'
import { eventKinds } from './webhook.events.ts'

const EventKindRef = builder.objectRef<EventKind>('EventKind').implement({
  description: 'A kind of event that is published.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Its name, such as `points.awarded`.' }),
    group: t.string({
      description: 'The pattern of its group, such as `points.*`.',
      resolve: ({ type }) => groupOf(type),
    }),
    description: t.exposeString('description', { description: 'When it happens.' }),
  }),
})

query('eventKinds', {
  description: 'Every kind of event that endpoints and filters can name, by name.',
  key: 'secret',
  type: [EventKindRef],
  resolve: () => eventKinds,
})
