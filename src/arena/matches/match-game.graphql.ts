/** The games of a match. */

import type { ArenaMatchGame } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/schema/builder.ts'
import { enumType } from '../../kit/schema/input.ts'
import { faultKinds, type MoveFault } from '../agents/agent-move.ts'
import type { GameOutcome } from './match.rules.ts'

export const ArenaMoveFaultRef = enumType(
  'ArenaMoveFault',
  'Why a move did not count. It loses the game; three games in a row lose the match.',
  faultKinds,
)

const ArenaMatchGameOutcomeRef = enumType<GameOutcome>(
  'ArenaMatchGameOutcome',
  'How a game of a match ended.',
  {
    AGENT1_WIN: 'The first agent won.',
    AGENT2_WIN: 'The second agent won.',
    DRAW: 'Nobody won.',
  },
)

export const ArenaMatchGameRef = builder.objectRef<ArenaMatchGame>('ArenaMatchGame').implement({
  description: 'A completed game of a match.',
  fields: (t) => ({
    gameNumber: t.exposeInt('gameNumber', { description: 'Numbered from 1 within the match.' }),
    agent1Action: t.exposeString('agent1Action', {
      description: 'Moves of the first agent in order, separated by spaces.',
    }),
    agent2Action: t.exposeString('agent2Action', {
      description: 'Moves of the second agent in order, separated by spaces.',
    }),
    outcome: t.field({
      type: ArenaMatchGameOutcomeRef,
      description: 'How it ended.',
      resolve: ({ outcome }) => outcome as GameOutcome,
    }),
    winnerSlot: t.exposeInt('winnerSlot', {
      nullable: true,
      description: '1, 2, or null for a draw.',
    }),
    agent1Fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why the first agent lost by a fault; null if it did not.',
      resolve: ({ agent1Fault }) => agent1Fault as MoveFault | null,
    }),
    agent2Fault: t.field({
      type: ArenaMoveFaultRef,
      nullable: true,
      description: 'Why the second agent lost by a fault; null if it did not.',
      resolve: ({ agent2Fault }) => agent2Fault as MoveFault | null,
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When it ended.' }),
  }),
})
