import { z } from 'zod'
import { Environment, GameType, RewardTier, RewardType } from '../generated/prisma/enums.ts'
import { defineEvent } from '../kit/streams/events.ts'
import { announcedId } from '../kit/user-id.ts'

export const gamePlayed = defineEvent('game.played', {
  description: 'A user played a game of chance.',
  data: z.object({
    playId: z.uuid(),
    gameType: z.enum(GameType),
    userId: announcedId(),
    pointsSpent: z.int(),
    userBalance: z
      .int()
      .describe('After the deduction, before a reward of type `points` is added.'),
    outcome: z
      .union([
        z.strictObject({ winningSegment: z.int(), spinAngle: z.number() }),
        z.strictObject({ reels: z.array(z.int()) }),
        z.strictObject({ boxIndex: z.int() }),
      ])
      .describe('By game: NEON_WHEEL, COSMIC_SLOTS, ENIGMA_BOXES.'),
    reward: z.object({
      tier: z.enum(RewardTier),
      type: z.enum(RewardType),
      value: z.int(),
      label: z.string(),
    }),
    environment: z.enum(Environment),
    playedAt: z.iso.datetime(),
  }),
  personal: ['userId'],
  example: {
    playId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c02',
    gameType: 'NEON_WHEEL',
    userId: 'alice',
    pointsSpent: 50,
    userBalance: 300,
    outcome: { winningSegment: 3, spinAngle: 141.27 },
    reward: { tier: 'rare', type: 'points', value: 75, label: '75 points' },
    environment: 'LIVE',
    playedAt: '2026-01-31T12:00:00.000Z',
  },
})
