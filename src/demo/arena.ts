/** Games of the demo partner in the arena: one built-in build in three variants. */

import { v7 as uuid } from 'uuid'
import type { StrategyName } from '../arena/agents/strategies.rules.ts'
import { submitArenaGame } from '../arena/developer-games/game.ts'
import { SubmitArenaGame } from '../arena/developer-games/game-input.ts'
import { featureArenaGame, reviewArenaGame } from '../arena/developer-games/review.ts'
import type { Config } from '../kit/config/config.ts'
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

const build = '/arena/builds/row/'
const rules = (connect: string, columns: number, rows: number) =>
  `Two players take turns, each on their own screen. Choose one of ${columns} columns; the disc falls as far down as it can. Whoever has ${connect} in a row first wins: across, down or diagonally. When all ${columns * rows} places are taken, begin again.`

const games = [
  {
    name: 'Four in a Row',
    description: 'The classic of falling discs: simple to learn, hard to put down.',
    rules: rules('four', 7, 6),
    buildUrl: build,
    entryFee: 20,
    estimatedDurationSeconds: 300,
  },
  {
    name: 'Quick Three',
    description: 'The same in a minute: a small board, and three in a row are enough.',
    rules: rules('three', 5, 4),
    buildUrl: `${build}?columns=5&rows=4&connect=3`,
    entryFee: 0,
    estimatedDurationSeconds: 60,
  },
  {
    name: 'High Stakes Four',
    description: 'A wider board and a larger pool. Think twice.',
    rules: rules('four', 9, 7),
    buildUrl: `${build}?columns=9&rows=7&connect=4`,
    entryFee: 100,
    estimatedDurationSeconds: 600,
  },
  {
    name: 'Five in a Row',
    description: 'Five discs, a large board, a long evening.',
    rules: rules('five', 9, 8),
    buildUrl: `${build}?columns=9&rows=8&connect=5`,
    entryFee: 50,
    estimatedDurationSeconds: 900,
  },
]

/** Creates three approved games, the first of them featured, and one that is pending review. */
export const seedArena = async (
  work: Work & { config: Config },
  { partnerId, reviewerId }: { partnerId: string; reviewerId: string },
): Promise<void> => {
  for (const [n, game] of games.entries()) {
    const input = SubmitArenaGame.parse({
      ...game,
      buildUrl: work.config.publicUrl + game.buildUrl,
      category: 'BOARD',
      engine: 'HTML5',
      playerMode: 'PVP',
      version: '1.0.0',
      minPlayers: 2,
      maxPlayers: 2,
    })
    const { id } = await submitArenaGame(work, { ...input, partnerId })
    if (n === games.length - 1) continue
    await reviewArenaGame(work, { gameId: id, verdict: 'APPROVED', reviewerId })
    if (n === 0) await featureArenaGame(work, { gameId: id })
  }
}
