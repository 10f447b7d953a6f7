/** Ratings of agents after a ranked match. */

import type { ArenaAgent, ArenaMatch } from '../../generated/prisma/client.ts'
import type { Transaction } from '../../kit/runtime.ts'
import type { Slot } from '../agent-games/agent-game.rules.ts'
import { insertRatings, selectAgentsForUpdate } from '../agents/agent.sql.ts'
import { eloChange } from '../agents/elo.rules.ts'
import { type Glicko, nextGlicko } from '../agents/glicko.rules.ts'

const glickoOf = (agent: ArenaAgent): Glicko => ({
  rating: agent.glickoRating,
  deviation: agent.ratingDeviation,
  volatility: agent.ratingVolatility,
})

/**
 * Rates both agents in the transaction that ends the match. Returns the points that the first gained and the second
 * lost. Locks agents in the order of their ids.
 */
export const rateMatch = async (
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
export const leaveUnrated = async (
  { tx, clock }: Pick<Transaction, 'tx' | 'clock'>,
  match: Pick<ArenaMatch, 'agent1Id' | 'agent2Id'>,
): Promise<number> => {
  const ids = [match.agent1Id, match.agent2Id]
  await selectAgentsForUpdate(tx, ids)
  await tx.arenaAgent.updateMany({ where: { id: { in: ids } }, data: { lastMatchAt: clock() } })
  return 0
}
