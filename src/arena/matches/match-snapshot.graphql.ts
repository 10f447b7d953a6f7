import { z } from 'zod'
import { query } from '../../core/graphql/query.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { id } from '../arena-input.ts'
import { callerOf } from './match.graphql.ts'
import { ArenaMatchEventRef } from './match-live.graphql.ts'
import { findMatch } from './match-read.ts'
import { readSnapshot } from './match-snapshot.ts'

query([ArenaRef, 'matchSnapshot'], {
  description:
    'Where a match stands: the snapshot with which `matchEvents` begins, for a first look; null like `match`. Go on from it with its `seq` as `sinceSeq`.',
  args: z.object({ id: id('ArenaMatch').describe('The match.') }),
  type: ArenaMatchEventRef,
  nullable: true,
  resolve: async ({ id }, ctx) =>
    (await findMatch(ctx, id, callerOf(ctx))) && readSnapshot(ctx.db, id),
})
