/** Agents and matches for tests. */
import { v7 as uuid } from 'uuid'
import { createPlayers } from '../../../src/arena/agents/player.ts'
import type { StrategyName } from '../../../src/arena/agents/strategies.rules.ts'
import { createMatch } from '../../../src/arena/matches/match.ts'
import { playDueMatches } from '../../../src/arena/matches/runner.ts'
import type { ArenaAgent, ArenaMatch } from '../../../src/generated/prisma/client.ts'
import type { Runtime } from '../../../src/kit/runtime.ts'

/** An agent that is ready to play. */
export const makeAgent = (
  { db, clock }: Runtime,
  partnerId: string,
  modelId: StrategyName,
  more: Partial<ArenaAgent> = {},
): Promise<ArenaAgent> => {
  const id = uuid()
  const now = clock()
  return db.arenaAgent.create({
    data: {
      id,
      partnerId,
      environment: 'LIVE',
      name: `agent-${id}`,
      displayName: `Agent ${id.slice(-4)}`,
      provider: 'BUILTIN',
      modelId,
      status: 'ACTIVE',
      validatedAt: now,
      createdAt: now,
      updatedAt: now,
      ...(more as object),
    },
  })
}

/** A ranked match of two agents that is due now. */
export const makeMatch = (
  runtime: Runtime,
  agents: readonly [ArenaAgent, ArenaAgent],
  more: Partial<Pick<ArenaMatch, 'gameType' | 'bestOf' | 'matchType' | 'scheduledAt'>> = {},
): Promise<ArenaMatch> =>
  createMatch(runtime, {
    agents,
    matchType: 'RANKED',
    gameType: 'TIC_TAC_TOE',
    bestOf: 3,
    partnerId: agents[0].partnerId,
    ...more,
  })

/** Plays until no match is due. */
export const playAll = async (runtime: Runtime): Promise<void> => {
  const players = createPlayers(runtime)
  while ((await playDueMatches(runtime, players)) > 0);
  await players.close()
}
