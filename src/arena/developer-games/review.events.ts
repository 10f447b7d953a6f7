import { z } from 'zod'
import { ArenaVerdict } from '../../generated/prisma/enums.ts'
import { defineEvent } from '../../kit/streams/events.ts'

export const gameReviewed = defineEvent('arena.game_reviewed', {
  description: 'A build of one of your games was approved or rejected.',
  data: z.object({
    gameId: z.uuid(),
    name: z.string(),
    slug: z.string(),
    status: z.enum(ArenaVerdict),
    reviewNotes: z.string().optional().describe('If there are any.'),
    buildUrl: z.string(),
    version: z.string().optional().describe('If the build has one.'),
    reviewedAt: z.iso.datetime(),
  }),
  example: {
    gameId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c40',
    name: 'Star Racer',
    slug: 'star-racer',
    status: 'APPROVED',
    buildUrl: 'https://games.example.com/star-racer/3/index.html',
    version: '1.2.0',
    reviewedAt: '2026-01-31T12:00:00.000Z',
  },
})
