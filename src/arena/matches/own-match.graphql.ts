/** Partners schedule and cancel matches. */
import { z } from 'zod'
import { enumType } from '../../kit/schema/input.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { id } from '../arena-input.ts'
import { liveTenant } from '../live-only.ts'
import { ArenaMatchRef } from './match.graphql.ts'
import { cancelMatch, ScheduleArenaMatch, scheduleMatch } from './match.ts'

enumType('ArenaScheduledMatchType', 'The kind of a match that a partner schedules.', {
  RANKED: 'It changes the ratings of both; between agents of different partners.',
  FRIENDLY: 'It changes no rating.',
})

mutation('scheduleArenaMatch', {
  description: "Schedules a match of one of the caller's own agents.",
  key: 'member',
  right: 'ARENA_WRITE',
  input: ScheduleArenaMatch,
  payload: { arenaMatch: ArenaMatchRef },
  errors: [
    'LIVE_ONLY',
    'AGENT_NOT_FOUND',
    'AGENT_NOT_READY',
    'RANKED_NEEDS_PARTNERS',
    'MATCH_LIMIT_REACHED',
  ],
  resolve: async (input, ctx, caller) => ({
    arenaMatch: await scheduleMatch(ctx, liveTenant(caller), input),
  }),
})

mutation('cancelArenaMatch', {
  description: "Cancels a match of the caller's own agents. Operators can cancel any match.",
  key: 'member',
  right: 'ARENA_WRITE',
  input: z
    .object({ matchId: id('ArenaMatch').describe('The match.') })
    .describe('A match to cancel.'),
  payload: { arenaMatch: ArenaMatchRef },
  errors: ['LIVE_ONLY', 'MATCH_NOT_FOUND', 'MATCH_ENDED'],
  resolve: async ({ matchId }, ctx, caller) => {
    const { isOperator } = caller
    return { arenaMatch: await cancelMatch(ctx, { ...liveTenant(caller), isOperator }, matchId) }
  },
})
