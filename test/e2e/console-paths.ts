/** Every page of the console, with something on it, and pages of one thing each. */
import { pageNames } from '../../console/texts/shell-texts.ts'
import { usersTexts } from '../../console/texts/users-texts.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { makeThings } from '../access/things.ts'
import type { World } from '../world.ts'

/** Makes one of each thing in LIVE, and returns the paths below `/console/live`. */
export const makePaths = async (world: World): Promise<string[]> => {
  await world.signInAs('OPERATOR')
  const { ids } = await makeThings(world, await world.signInAs('OWNER'))
  const idOf = (type: string) => encodeURIComponent(encodeNodeId(type, ids[type] ?? ''))
  const where = { id: ids['ArenaAcceptance'] as string }
  const streak = await world.runtime.db.goal.findFirstOrThrow({
    where: { streak: { isNot: null } },
  })
  const streakPath = `goals/${encodeURIComponent(encodeNodeId('Goal', streak.id))}`
  const { gameId } = await world.runtime.db.arenaAcceptance.findUniqueOrThrow({ where })
  return [
    ...Object.keys(pageNames),
    ...Object.keys(usersTexts.tabs).map((tab) => `users/${idOf('User')}?tab=${tab}`),
    `segments/${idOf('Segment')}`,
    'games/NEON_WHEEL',
    `campaigns/${idOf('Campaign')}`,
    `campaigns/${idOf('Campaign')}?tab=setup`,
    ...['', '?tab=setup', '?tab=try&since=30', `?tab=simulate&user=demo-user`].map(
      (tab) => `goals/${idOf('Goal')}${tab}`,
    ),
    ...['?tab=results', '?tab=streaks', '?tab=setup'].map((tab) => streakPath + tab),
    `rewards/${idOf('Reward')}`,
    `codes/${idOf('CodeBatch')}`,
    `lotteries/${idOf('Lottery')}`,
    `lotteries/${idOf('Lottery')}?tab=setup`,
    `webhooks/${idOf('WebhookEndpoint')}`,
    `webhooks/${idOf('WebhookEndpoint')}?delivery=${idOf('WebhookDelivery')}`,
    `events?event=${idOf('Event')}`,
    `agents/${idOf('ArenaAgent')}`,
    `acceptances?accept=${gameId}`,
    `arena-games/${idOf('ArenaGame')}?session=${idOf('ArenaSession')}`,
  ]
}
