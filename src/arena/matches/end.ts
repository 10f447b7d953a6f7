/** Ends a game, and the match if it was the last one, in one transaction keyed by match and game number. */
import type { ArenaAgent, ArenaMatch, Prisma } from '../../generated/prisma/client.ts'
import { inTransaction, retrying, type Tx } from '../../kit/database/db.ts'
import type { Runtime, Transaction } from '../../kit/runtime.ts'
import type { Slot } from '../agent-games/agent-game.rules.ts'
import { insertRatings, selectAgentsForUpdate } from '../agents/agent.sql.ts'
import type { LoggedMove, MoveFault } from '../agents/move.ts'
import { eloChange, type Glicko, nextGlicko } from '../agents/rating.rules.ts'
import type { NewEvent } from './event.ts'
import { gameCompleted, matchCompleted } from './match.events.ts'
import {
  afterGame,
  type GameResult,
  gameOutcomeOf,
  haveBothFailed,
  type MatchVerdict,
  verdictOf,
} from './match.rules.ts'
import { selectMatchForUpdate } from './match.sql.ts'
import { advance, announce, type LeasedMatch, matchSummary } from './write.ts'

const glickoOf = (agent: ArenaAgent): Glicko => ({
  rating: agent.glickoRating,
  deviation: agent.ratingDeviation,
  volatility: agent.ratingVolatility,
})

/**
 * Rates both agents in the transaction that ends the match. Returns the points that the first gained and the second
 * lost. Locks agents in the order of their ids.
 */
const rateMatch = async (
  { tx, clock }: Pick<Transaction, 'tx' | 'clock'>,
  match: Pick<ArenaMatch, 'id' | 'agent1Id' | 'agent2Id'>,
  winnerSlot: Slot | null,
): Promise<number> => {
  const ids = [match.agent1Id, match.agent2Id]
  await selectAgentsForUpdate(tx, ids)
  const agents = await tx.arenaAgent.findMany({ where: { id: { in: ids } } })
  const of = (id: string) => agents.find((agent) => agent.id === id) as ArenaAgent
  const [agent1, agent2] = [of(match.agent1Id), of(match.agent2Id)]
  const change = eloChange(agent1.eloRating, agent2.eloRating, winnerSlot)
  const now = clock()
  const rows = [
    { agent: agent1, other: agent2, slot: 1, gained: change },
    { agent: agent2, other: agent1, slot: 2, gained: -change },
  ].map(({ agent, other, slot, gained }) => {
    const score = winnerSlot === null ? 0.5 : Number(winnerSlot === slot)
    const next = nextGlicko(glickoOf(agent), [{ opponent: glickoOf(other), score }])
    return {
      id: agent.id,
      number: agent.totalMatches + 1,
      before: agent.eloRating,
      after: agent.eloRating + gained,
      won: Number(score === 1),
      lost: Number(score === 0),
      drawn: Number(score === 0.5),
      rating: next.rating,
      deviation: next.deviation,
      volatility: next.volatility,
    }
  })
  await insertRatings(tx, match.id, rows, now)
  return change
}

/** Notes a match that changes no rating, so that the matchmaker pairs other agents first. */
const leaveUnrated = async (
  { tx, clock }: Pick<Transaction, 'tx' | 'clock'>,
  match: Pick<ArenaMatch, 'agent1Id' | 'agent2Id'>,
): Promise<number> => {
  const ids = [match.agent1Id, match.agent2Id]
  await selectAgentsForUpdate(tx, ids)
  await tx.arenaAgent.updateMany({ where: { id: { in: ids } }, data: { lastMatchAt: clock() } })
  return 0
}

export type EndedGame = {
  gameNumber: number
  /** All moves, including the last ones. */
  moves: LoggedMove[]
  result: GameResult
  startedAt: Date
  endedAt: Date
}

/** The row of a game. */
const rowOf = (matchId: string, { gameNumber, moves, result, startedAt, endedAt }: EndedGame) => {
  const of = (slot: Slot) => moves.filter((move) => move.slot === slot)
  const actionOf = (slot: Slot) =>
    of(slot)
      .flatMap(({ action }) => action ?? [])
      .join(' ')
  const faultOf = (slot: Slot): MoveFault | null => of(slot).at(-1)?.fault ?? null
  return {
    matchId,
    gameNumber,
    agent1Action: actionOf(1),
    agent2Action: actionOf(2),
    outcome: gameOutcomeOf(result.winnerSlot),
    winnerSlot: result.winnerSlot,
    agent1Fault: faultOf(1),
    agent2Fault: faultOf(2),
    startedAt,
    endedAt,
  } satisfies Prisma.ArenaMatchGameUncheckedCreateInput
}

/**
 * Activates the agent of a validation match without faults, or stores the reason for its failure. An agent that was
 * changed since then needs another match.
 */
const judgeValidation = async (tx: Tx, match: LeasedMatch, now: Date) => {
  const failed = await tx.arenaMatchGame.findFirst({
    where: {
      matchId: match.id,
      OR: [{ agent1Fault: { not: null } }, { agent2Fault: { not: null } }],
    },
  })
  const fault = failed?.agent1Fault ?? failed?.agent2Fault
  await tx.arenaAgent.updateMany({
    where: { id: match.agent1Id, status: 'DRAFT', validationMatchId: match.id },
    data: fault
      ? { validationError: fault, updatedAt: now }
      : { status: 'ACTIVE', validatedAt: now, validationError: null, updatedAt: now },
  })
}

/**
 * Writes the end of a game: its row, the score, and either the next game or the end of the match with the
 * new ratings. `lastMoves` is the event of the moves that ended it.
 * @throws LeaseLostError
 */
export const endGame = async (
  runtime: Runtime,
  match: LeasedMatch,
  agents: readonly [ArenaAgent, ArenaAgent],
  lastMoves: NewEvent,
  ended: EndedGame,
): Promise<void> => {
  const now = ended.endedAt
  const { gameNumber, result } = ended
  const standing = afterGame(match, result)
  const verdict = verdictOf(standing)
  const nextGameAt = verdict ? null : new Date(now.getTime() + runtime.config.arena.gamePauseMs)
  const { agent1Score, agent2Score } = standing
  const row = rowOf(match.id, ended)
  const scores = { agent1Score, agent2Score }
  const gameEvent: NewEvent = {
    kind: 'GAME_COMPLETED',
    gameNumber,
    data: {
      winnerSlot: result.winnerSlot,
      ...scores,
      nextGameAt: nextGameAt?.toISOString() ?? null,
    },
  }
  const { bestOf: _, ...counts } = standing
  const finish = verdict ? endingOf(verdict, now) : {}
  const after = { ...match, ...counts, ...finish }
  const write = async (work: Runtime & { tx: Tx }) => {
    await selectMatchForUpdate(work.tx, match.id)
    const eloChange =
      verdict && match.matchType === 'RANKED'
        ? haveBothFailed(standing)
          ? await leaveUnrated(work, match)
          : await rateMatch(work, match, verdict.winnerSlot)
        : null
    const matchEvents: NewEvent[] = verdict
      ? [{ kind: 'MATCH_COMPLETED', data: { ...verdict, ...scores, eloChange } }]
      : []
    const next = { nextGameAt, dueAt: nextGameAt, leaseToken: null, leaseUntil: null }
    await advance(work, match, {
      data: { ...counts, ...finish, ...(verdict && { eloChange }), ...next },
      events: [lastMoves, gameEvent, ...matchEvents],
    })
    await work.tx.arenaMatchGame.create({ data: row })
    const gist = matchSummary(after, agents)
    const { matchId: _, startedAt: __, endedAt: ___, ...game } = row
    await announce(work, match, gameCompleted, { ...gist, game, endedAt: now.toISOString() })
    if (!verdict) return
    await announce(work, match, matchCompleted, {
      ...gist,
      ...verdict,
      eloChange,
      endedAt: now.toISOString(),
    })
    if (match.matchType === 'VALIDATION') await judgeValidation(work.tx, match, now)
  }
  await retrying(() => inTransaction(runtime, write))
}

const endingOf = ({ winnerSlot, reason }: MatchVerdict, endedAt: Date) => ({
  status: 'COMPLETED' as const,
  winnerSlot,
  endReason: reason,
  endedAt,
})
