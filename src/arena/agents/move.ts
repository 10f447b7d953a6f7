/** What is sent to an agent that must move, and what becomes of its answer. */
import { z } from 'zod'
import { defineAnsweredRequest } from '../../kit/http/answered-request.ts'
import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import type { PastGame } from './strategies.rules.ts'

export const faultKinds = {
  ILLEGAL_MOVE: 'The move was illegal.',
  TIMEOUT: 'No answer in time.',
  FAILED: 'No readable answer.',
} as const

export type MoveFault = keyof typeof faultKinds

/** A move, with its fault if it did not count. */
export type LoggedMove = { slot: Slot; action: string | null; fault: MoveFault | null }

export type MoveRequest = {
  matchId: string
  gameNumber: number
  game: Game
  state: unknown
  slot: Slot
  /** Earlier games of this match, from the side of this agent. */
  history: PastGame[]
}

/** The maximum number of earlier games that an agent receives. */
const describedGames = 50

const moves = () => z.array(z.string())

/** The request to the server of a WEBHOOK agent. A chat model gets the same data, without `agentId`, in its prompt. */
export const moveRequested = defineAnsweredRequest({
  type: 'arena.move_requested',
  summary: 'A WEBHOOK agent of yours must move.',
  description:
    'Answer with the move before `deadline`, which is 15 seconds later. A late, unreadable or illegal answer loses the game. A request is sent once: there are no retries.',
  title: 'ArenaMoveRequest',
  data: z
    .object({
      agentId: z.uuid().describe('The agent that must move.'),
      matchId: z.uuid().describe('The match. Both sides may be the same agent, in its validation.'),
      gameNumber: z.int().describe('Number of the game in its match, from 1.'),
      gameType: z.string().describe('Type of the game, such as `TIC_TAC_TOE`. More may be added.'),
      slot: z.int().describe('The side that must move: 1 or 2.'),
      board: z
        .array(z.array(z.string()))
        .describe('Rows of cells, the top row first. A cell is the slot of its owner, or empty.'),
      legalMoves: moves().describe(
        'The moves that are possible now. The answer must be one of them.',
      ),
      history: z
        .array(
          z.object({
            mine: moves().describe('Moves of the agent, in order.'),
            theirs: moves().describe('Moves of its opponent.'),
          }),
        )
        .describe(`Earlier games of the match, oldest first; the last ${describedGames} at most.`),
      deadline: z.iso.datetime().describe('When the answer is too late.'),
    })
    .meta({ title: 'ArenaMoveSituation', about: 'What an agent sees when it must move.' }),
  example: {
    agentId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c51',
    matchId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c50',
    gameNumber: 2,
    gameType: 'TIC_TAC_TOE',
    slot: 1,
    board: [
      ['1', '', ''],
      ['', '2', ''],
      ['', '', '2'],
    ],
    legalMoves: ['2', '3', '4', '6', '7', '8'],
    history: [{ mine: ['5', '1', '9'], theirs: ['2', '3'] }],
    deadline: '2026-01-31T12:00:15.000Z',
  },
  sentAt: '2026-01-31T12:00:00.000Z',
  answer: {
    description: 'The move.',
    schema: z
      .object({
        move: z
          .union([z.string(), z.int()])
          .describe(
            'One of `legalMoves`, as text or as a whole number. Upper and lower case are equal. Other fields are ignored.',
          ),
      })
      .meta({ title: 'ArenaMoveAnswer', about: 'The move of an agent.' }),
    example: { move: '3' },
  },
})

type Situation = z.output<typeof moveRequested.data>

/** The situation sent to an agent that must move. It never reveals the other side's move of this turn. */
export const situationOf = (
  { matchId, gameNumber, game, state, slot, history }: MoveRequest,
  deadline: Date,
): Omit<Situation, 'agentId'> => ({
  matchId,
  gameNumber,
  gameType: game.type,
  slot,
  board: game.render(state),
  legalMoves: game.legalMoves(state, slot),
  history: history.slice(-describedGames),
  deadline: deadline.toISOString(),
})
