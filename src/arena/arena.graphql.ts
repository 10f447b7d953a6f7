/** The public directory; games, sessions, agents and matches add its fields. */
import { builder, namespace } from '../kit/schema/builder.ts'

export const ArenaRef = namespace('Arena', 'The public side of the arena. The arena is LIVE only.')

builder.queryField('arena', (t) =>
  t.field({
    type: ArenaRef,
    description: 'The public arena.',
    resolve: () => ({}),
  }),
)
