/** A server whose clock a test moves, and the calls by which partners manage their webhooks. */
import { expect } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld } from '../world.ts'

/** The same routes twice: for a secret key and for a member. */
export const prefixes = ['/v1', '/dashboard'] as const

export type Stage = Awaited<ReturnType<typeof createStage>>
export type Client = Awaited<ReturnType<Stage['client']>>

export const createStage = async () => {
  let now = new Date('2026-03-01T12:00:00.000Z')
  const world = await createWorld({ clock: () => now })
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return {
    world,
    now: () => now,
    later,
    /** Calls of one prefix, by a credential of its kind. */
    client: async (prefix: (typeof prefixes)[number]) => {
      const key = prefix === '/v1' ? world.keys.secret : await world.signInAs('OWNER')
      const call = (method: string, path: string, body?: unknown) =>
        world.call(method, `${prefix}/webhooks${path}`, {
          key,
          ...(body !== undefined && { body }),
        })
      const data = async (method: string, path: string, body?: unknown) => {
        const answer = await call(method, path, body)
        expect(answer.status, answer.text).toBe(200)
        return answer.body.data
      }
      const create = (events = ['*'], more: object = {}) =>
        data('POST', '', { url: 'https://8.8.8.8/hook', events, ...more })
      return { call, data, create }
    },
    award: async (userId: string, times = 1) => {
      for (let i = 0; i < times; i++) {
        later(1_000)
        await world.givePoints(userId, 1)
      }
    },
    play: async (userId: string) => {
      later(1_000)
      const body = { userId, gameType: 'ENIGMA_BOXES' }
      expect((await world.post('/v1/games/play', world.keys.public, body)).status).toBe(200)
    },
    /** Ends deliveries as a sender would have. */
    settle: (endpointId: string, status: 'DELIVERED' | 'FAILED') =>
      world.server.database.pool.query({
        text: `WITH d AS (UPDATE webhook_delivery SET status = $2::"WebhookDeliveryStatus",
            finished_at = now(), attempts = attempts + 1
            WHERE endpoint_id = $1::uuid AND status = 'PENDING' RETURNING id, attempts)
          INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, response_status)
          SELECT id, attempts, now(), 5, CASE $2 WHEN 'FAILED' THEN 500 ELSE 200 END FROM d`,
        values: [endpointId, status],
      }),
    end: async () => {
      expect(await audit(world.server.database.pool)).toBe(0)
      await world.end()
    },
  }
}
