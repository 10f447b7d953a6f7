/** The agents of the demo: eight public ones that need no network. */
import { v7 as uuid } from 'uuid'
import type { StrategyName } from '../arena/agents/strategies.rules.ts'
import type { Work } from '../kit/runtime.ts'

const agents: [name: string, displayName: string, strategy: StrategyName, style: string][] = [
  ['oracle', 'The Oracle', 'minimax', 'Looks at every end before the first move.'],
  ['chain-reader', 'Chain Reader', 'markov', 'What you did last tells what you do next.'],
  ['tally', 'Tally', 'frequency', 'Counts everything and trusts the count.'],
  ['wildcard', 'Wildcard', 'random', 'Cannot be read, not even by itself.'],
  ['shapeshifter', 'Shapeshifter', 'mixed', 'Never the same opponent twice.'],
  ['granite', 'Granite', 'minimax', 'Patient, solid, and hard to surprise.'],
  ['echo', 'Echo', 'markov', 'Listens longer than it speaks.'],
  ['quicksilver', 'Quicksilver', 'mixed', 'Sound play with a taste for risk.'],
]

/** Creates the agents of a partner, ready to play. */
export const seedArenaAgents = async ({ tx, clock }: Work, partnerId: string): Promise<void> => {
  const now = clock()
  await tx.arenaAgent.createMany({
    data: agents.map(([name, displayName, modelId, thinkingStyle]) => ({
      id: uuid(),
      partnerId,
      environment: 'LIVE' as const,
      name,
      displayName,
      description: `Plays by the builtin strategy “${modelId}”.`,
      thinkingStyle,
      provider: 'BUILTIN' as const,
      modelId,
      status: 'ACTIVE' as const,
      validatedAt: now,
      createdAt: now,
      updatedAt: now,
    })),
  })
}
