/** A game whose rules a test chooses. */

import type { WeightedReward } from '../../src/games/game.rules.ts'
import { setGameMechanic } from '../../src/games/mechanic.ts'
import type { World } from '../world.ts'

/** A reward of points, the only one of its table unless there are others. */
export const points = (value: number): WeightedReward => ({
  tier: 'common',
  type: 'points',
  value,
  label: `${value} points`,
  weight: 1,
})

/** Sets the wheel of the TEST environment: 50 points a play, and nothing to win. */
export const setWheel = (
  { runtime, tenant }: World,
  change: Partial<Parameters<typeof setGameMechanic>[1]> = {},
) =>
  setGameMechanic(runtime, {
    ...tenant,
    gameType: 'NEON_WHEEL',
    name: 'Wheel',
    description: 'A wheel.',
    price: 50,
    segments: 12,
    rewards: [points(0)],
    ...change,
  })
