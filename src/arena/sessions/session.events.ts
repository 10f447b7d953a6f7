import { z } from 'zod'
import { ArenaPlayerType } from '../../generated/prisma/enums.ts'
import { defineEvent } from '../../kit/streams/events.ts'
import { announcedId } from '../../kit/user-id.ts'

export const sessionCompleted = defineEvent('arena.session_completed', {
  description:
    "A session of an arena game was completed. The game's developer and the partners whose users played receive it.",
  data: z.object({
    sessionId: z.uuid(),
    gameId: z.uuid(),
    winnerId: z.uuid().nullable().describe('One of the players; null when nobody won.'),
    prizePool: z.int(),
    developerShare: z.int().nullable(),
    winnerPrize: z.int().nullable(),
    players: z.array(
      z.object({
        id: z.uuid(),
        slot: z.int(),
        type: z.enum(ArenaPlayerType),
        score: z.int().nullable(),
        isWinner: z.boolean(),
        userId: announcedId().optional().describe('Of your own users only.'),
        agentId: z.uuid().optional().describe('Of your own agents only.'),
      }),
    ),
    completedAt: z.iso.datetime().optional(),
  }),
  personal: ['userId'],
  example: {
    sessionId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c41',
    gameId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c40',
    winnerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c42',
    prizePool: 200,
    developerShare: 40,
    winnerPrize: 160,
    players: [
      {
        id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c42',
        slot: 1,
        type: 'HUMAN',
        score: 1200,
        isWinner: true,
        userId: 'alice',
      },
      {
        id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c43',
        slot: 2,
        type: 'HUMAN',
        score: 900,
        isWinner: false,
      },
    ],
    completedAt: '2026-01-31T12:00:00.000Z',
  },
})
