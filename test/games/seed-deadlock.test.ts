/**
 * A mutation that is neither batched nor audited. The embedded database runs one transaction at a time. Neighbours
 * that were looked for: every transaction is started by the function that retries (test/architecture/locks.test.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, onPostgres, type World } from '../world.ts'

describe.runIf(onPostgres)('a rotation of seeds in a deadlock', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world?.end())

  it('is done after the other transaction', async () => {
    await world.givePoints('ann', 3)
    const play = { userId: 'ann', gameType: 'NEON_WHEEL' }
    expect((await world.post('/v1/games/play', world.keys.public, play)).status).toBe(200)
    const { id, partnerId, environment, seedNo } = await world.runtime.db.endUser.findFirstOrThrow({
      where: { ...world.tenant, externalId: 'ann' },
    })
    const client = await world.server.database.pool.connect()
    const query = (text: string, values: unknown[] = []) => client.query({ text, values })
    try {
      await query('BEGIN')
      // So that the rotation is the one which the database aborts.
      await query("SET LOCAL deadlock_timeout = '10min'")
      await query(
        'INSERT INTO play_seed (user_id, seed_no, partner_id, environment, revealed_at) VALUES ($1, $2, $3, $4, now())',
        [id, seedNo, partnerId, environment],
      )
      const rotation = world.graphql(
        'mutation { rotatePlaySeed(input: { user: { externalId: "ann" } }) { __typename } }',
      )
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await expect.poll(async () => (await query(waiting)).rowCount).toBe(1)
      await query('SELECT FROM end_user WHERE id = $1 FOR NO KEY UPDATE', [id])
      await query('ROLLBACK')
      expect((await rotation).body.data).toEqual({
        rotatePlaySeed: { __typename: 'RotatePlaySeedPayload' },
      })
    } finally {
      client.release()
    }
  })
})
