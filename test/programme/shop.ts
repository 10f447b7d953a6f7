/** Calls of the shop, by REST and GraphQL, with the token of the user or the secret key. */
import { randomUUID } from 'node:crypto'
import type { World } from '../world.ts'
import { programmeOf } from './programme.ts'

type Input = Record<string, unknown>

export const shopOf = (world: World) => {
  const call = programmeOf(world)
  const grantFields = `uuid status price points code message failure freePlaysLeft gameType playableUntil source
    fulfilledAt failedAt cancelledAt codeShownAt reward { slug grantCount stock }
    purchaseEntry { points eventType account sourceId } refundEntry { points eventType account sourceId }
    user { balance lifetimePoints }`
  const ofGrant =
    (name: string) =>
    async (grantId: string, more: Input = {}) => {
      const result = await call.mutate(name, `grant { ${grantFields} }`, { grantId, ...more })
      return result.grant ?? result
    }
  return {
    ...call,
    /** A reward for sale. */
    sold: (kind: string, price: number, more: Input = {}) =>
      call.createReward({ name: `${kind} ${randomUUID()}`, kind, price, ...more }),
    buy: async (userId: string, slug: string, reference?: string) => {
      const input = { user: { externalId: userId }, reward: { slug }, reference }
      const result = await call.mutate('buyReward', `grant { ${grantFields} }`, input)
      return result.grant ?? result
    },
    buyByRest: (userId: string, slug: string, reference?: string, headers: Input = {}) =>
      world.post(
        `/v1/users/${userId}/rewards/${slug}/buy`,
        'x-api-key' in headers ? undefined : world.keys.secret,
        { reference },
        headers as Record<string, string>,
      ),
    availability: async (slug: string, userId: string) => {
      const { body } = await world.graphql(
        `query ($slug: String!, $userId: String!) { reward(by: { slug: $slug }) {
          availability(user: { externalId: $userId }) { canBuy reason missingPoints nextAt } } }`,
        { slug, userId },
      )
      return body.data.reward.availability
    },
    addCodes: (slug: string, codes: string[]) =>
      call.mutate('addRewardCodes', 'reward { stock } addedCount duplicateIndexes', {
        reward: { slug },
        codes,
      }),
    fulfill: ofGrant('fulfillGrant'),
    fail: ofGrant('failGrant'),
    cancel: ofGrant('cancelGrant'),
    retry: ofGrant('retryGrant'),
    reveal: ofGrant('revealCode'),
    /** A user with hundreds of points. */
    newUser: async (hundreds = 1): Promise<string> => {
      const userId = randomUUID()
      await world.givePoints(userId, hundreds)
      return userId
    },
  }
}

export type Shop = ReturnType<typeof shopOf>
