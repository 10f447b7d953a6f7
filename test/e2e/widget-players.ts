/** Goals and players for tests of missions and badges in pages of a shop. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { countGoals } from '../../src/programme/counting.ts'
import { startDecider } from '../../src/programme/decider.ts'
import { startPayer } from '../../src/programme/payer.ts'
import { programmeOf } from '../programme/programme.ts'
import { createWorld, type WorldOptions } from '../world.ts'
import { type Look, openShop } from './widget-visit.ts'

export type Players = Awaited<ReturnType<typeof openPlayers>>

/** A server that decides goals and pays rewards, a shop, and a browser. */
export const openPlayers = async (options: WorldOptions = {}) => {
  const world = await createWorld(options)
  const shop = await openShop(world)
  const call = programmeOf(world)
  const stops = [startDecider(world.runtime), startPayer(world.runtime)]

  const tokenOf = async (userId: string): Promise<string> =>
    (await world.post(`/v1/users/${userId}/token`, world.keys.secret, {})).body.data.token

  const send = (userId: string, eventType: string, metadata: object = {}) =>
    world.post('/v1/user-journeys/events', world.keys.secret, {
      ...{ externalId: userId, category: 'CUSTOM', eventType, metadata },
    })

  return {
    ...{ world, shop, call, tokenOf, send },
    order: (userId: string, amount: number) => send(userId, 'order', { amount }),
    /** Creates a reward: a badge unless it has points. */
    reward: (name: string, points?: number, description?: string) =>
      call.createReward({
        ...{ name, points, description },
        kind: points === undefined ? 'BADGE' : 'POINTS',
      }),
    /** Creates and starts a goal, whose slug is its name. */
    startGoal: async (slug: string, name: string, more: object) => {
      const core = { slug, name, window: 'EVER', repeat: 'ONCE' }
      const goal = await call.mutate('createGoal', 'goal { slug }', { ...core, ...more })
      const started = await call.mutate('startGoal', 'goal { status }', { goal: { slug } })
      expect([goal.code, started.code]).toEqual([undefined, undefined])
      await countGoals(world.runtime)
    },
    newUser: async (hundreds = 1): Promise<string> => {
      const userId = `player-${randomUUID()}`
      await world.givePoints(userId, hundreds)
      return userId
    },
    /** A page with elements that have a token of the user. */
    open: async (tags: string[], userId: string, look: Look = {}) => {
      const token = await tokenOf(userId)
      return shop.open(
        tags.map((tag) => `<${tag} user-token="${token}"></${tag.split(' ')[0]}>`).join(''),
        userId,
        look,
      )
    },
    end: async () => {
      for (const stop of stops) await stop()
      await shop.end()
    },
  }
}

/** An element of the missions by its name. */
export const goal = (name: string) => `tessera-goals .goal:has(h3:text-is("${name}"))`
