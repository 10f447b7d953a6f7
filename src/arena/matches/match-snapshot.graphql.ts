import { z } from 'zod'
import { query } from '../../kit/schema/query.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import { callerOf } from './match.graphql.ts'
import { ArenaMatchSnapshotRef } from './match-event.graphql.ts'
import { findMatch } from './match-read.ts'
import { readSnapshot } from './match-snapshot.ts'

query([ArenaRef, 'matchSnapshot'], {
  description:
    'The snapshot with which `matchEvents` begins; null where `match` is null. To continue from it, subscribe with its `seq` as `sinceSeq`.',
  args: z.object({ id: id('ArenaMatch').describe('The match.') }),
  type: ArenaMatchSnapshotRef,
  nullable: true,
  resolve: async ({ id }, ctx) =>
    (await findMatch(ctx, id, callerOf(ctx))) && readSnapshot(ctx.db, id),
})
