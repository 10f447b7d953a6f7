/** Blocks of users, by the API. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { World } from '../world.ts'

export const refusal = { status: 403, errorCode: 'USER_BLOCKED' }

export const outcomeOf = (answer: { status: number; body: { errorCode?: string } }) => ({
  status: answer.status,
  errorCode: answer.body.errorCode,
})

type Block = { reason?: string; note?: string; until?: Date }

export const blocksOf = (world: World) => ({
  block: async (userId: string, { reason = 'ABUSE', ...more }: Block = {}, key?: string) => {
    const path = `/v1/users/${userId}/block`
    const answer = await world.post(path, key ?? world.keys.secret, { reason, ...more })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data
  },
  unblock: (userId: string, key = world.keys.secret) =>
    world.post(`/v1/users/${userId}/unblock`, key, {}),
  /** A user with hundreds of points. */
  newUser: async (hundreds = 1) => {
    const userId = randomUUID()
    await world.givePoints(userId, hundreds)
    return userId
  },
  /** The data of a query that has no errors. */
  read: async (query: string, variables: Record<string, unknown> = {}, by?: object) => {
    const { body } = await world.graphql(query, variables, by)
    expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
    return body.data
  },
  row: (externalId: string) =>
    world.runtime.db.endUser.findFirstOrThrow({ where: { ...world.tenant, externalId } }),
})

export type Blocks = ReturnType<typeof blocksOf>
