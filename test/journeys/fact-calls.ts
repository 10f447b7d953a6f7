/** Users and the facts of their timelines, for tests. */
import { randomUUID } from 'node:crypto'
import type { World } from '../world.ts'

export const root = '/v1/user-journeys'
export const secretHeader = (secret: string) => ({ 'x-api-secret': secret })
export const tokenHeader = (token: string) => ({ 'x-user-token': token })

export const factCalls = (world: World) => {
  const entriesOf = (externalId: string) =>
    world.runtime.db.userActivity.findMany({
      where: { user: { externalId } },
      orderBy: { id: 'asc' },
    })
  return {
    newUser: async (awards = 10) => {
      const userId = `user-${randomUUID()}`
      await world.givePoints(userId, awards)
      return userId
    },
    /** The timeline of a user, in the order in which it was written. */
    entriesOf,
    /** The types and facts of these entries, without those of awards. */
    factsOf: async (externalId: string) =>
      (await entriesOf(externalId))
        .filter(({ fact }) => fact !== 'POINTS_AWARDED')
        .map(({ eventType, fact }) => [eventType, fact]),
  }
}
