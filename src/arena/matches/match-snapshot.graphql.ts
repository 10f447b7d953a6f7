import { builder } from '../../core/graphql/builder.ts'
import { callerOf } from './match.graphql.ts'
import { ArenaMatchEventRef } from './match-live.graphql.ts'
import { getMatch } from './match-read.ts'
import { readSnapshot } from './match-snapshot.ts'

builder.queryField('arenaMatchSnapshot', (t) =>
  t.field({
    type: ArenaMatchEventRef,
    description:
      'Where a match stands: the snapshot with which `matchEvents` begins, for a first look. Go on from it with its `seq` as `sinceSeq`. Error MATCH_NOT_FOUND.',
    args: { matchId: t.arg.string({ required: true, description: 'UUID of the match.' }) },
    resolve: async (_, { matchId }, ctx) => {
      const { id } = await getMatch(ctx, matchId, callerOf(ctx))
      return readSnapshot(ctx.db, id)
    },
  }),
)
