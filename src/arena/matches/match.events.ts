import { z } from 'zod'
import { ArenaMatchStatus, ArenaMatchType } from '../../generated/prisma/enums.ts'
import { defineEvent } from '../../kit/streams/events.ts'

const side = z.object({ id: z.uuid(), displayName: z.string() })
const slot = z.int().nullable().describe('1 or 2; null for a draw.')
const fault = z.enum(['ILLEGAL_MOVE', 'TIMEOUT', 'FAILED']).nullable()

/** The fields of every event of a match. */
const summary = {
  matchId: z.uuid(),
  matchType: z.enum(ArenaMatchType),
  gameType: z.string(),
  bestOf: z.int(),
  status: z.enum(ArenaMatchStatus),
  agent1: side,
  agent2: side,
  agent1Score: z.int(),
  agent2Score: z.int(),
}
const example = {
  matchId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c50',
  matchType: 'RANKED',
  gameType: 'TIC_TAC_TOE',
  bestOf: 3,
  status: 'IN_PROGRESS',
  agent1: { id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c51', displayName: 'Ada' },
  agent2: { id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c52', displayName: 'Blaise' },
  agent1Score: 0,
  agent2Score: 0,
} as const
const endedAt = '2026-01-31T12:00:00.000Z'

export const matchStarted = defineEvent('match.started', {
  description: 'A match of one of your agents began.',
  data: z.object({ ...summary, startedAt: z.iso.datetime() }),
  example: { ...example, startedAt: '2026-01-31T11:55:00.000Z' },
})

export const matchCompleted = defineEvent('match.completed', {
  description: 'A match of one of your agents was completed.',
  data: z.object({
    ...summary,
    winnerSlot: slot,
    reason: z.string().nullable().describe('How it ended, when not by games.'),
    eloChange: z
      .int()
      .nullable()
      .describe(
        'Elo points that the first agent gained and the second lost. Null unless the match is ranked.',
      ),
    endedAt: z.iso.datetime(),
  }),
  example: {
    ...example,
    status: 'COMPLETED',
    agent1Score: 2,
    winnerSlot: 1,
    reason: null,
    eloChange: 16,
    endedAt,
  },
})

export const matchCancelled = defineEvent('match.cancelled', {
  description: 'A match of one of your agents was cancelled.',
  data: z.object({ ...summary, reason: z.string(), endedAt: z.iso.datetime() }),
  example: { ...example, status: 'CANCELLED', reason: 'Cancelled by an owner', endedAt },
})

export const gameCompleted = defineEvent('game.completed', {
  description: 'A game in a match of one of your agents ended.',
  data: z.object({
    ...summary,
    game: z.object({
      gameNumber: z.int(),
      agent1Action: z.string().describe('All its moves.'),
      agent2Action: z.string(),
      outcome: z.string().describe('`AGENT1_WIN`, `AGENT2_WIN` or `DRAW`.'),
      winnerSlot: slot,
      agent1Fault: fault.describe('Why its last move was none, if it was none.'),
      agent2Fault: fault,
    }),
    endedAt: z.iso.datetime(),
  }),
  example: {
    ...example,
    agent1Score: 1,
    game: {
      gameNumber: 1,
      agent1Action: '1 5 9',
      agent2Action: '2 3',
      outcome: 'AGENT1_WIN',
      winnerSlot: 1,
      agent1Fault: null,
      agent2Fault: null,
    },
    endedAt,
  },
})
