import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createReceiver } from '../../webhooks/receiver.ts'
import { createWorld, type World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'

let world: World
let arena: Arena
beforeAll(async () => {
  world = await createWorld({ config: { jobs: true, webhookAllowPrivate: true } })
  arena = await createArena(world)
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

test('webhooks tell the developer and the players of a review and a result', async () => {
  const other = await world.createPartner()
  const subscribe = async (key: string) => {
    const receiver = await createReceiver()
    const answer = await world.post('/v1/webhooks', key, { url: receiver.url, events: ['arena.*'] })
    expect(answer.status).toBe(200)
    return receiver
  }
  const [developer, player] = [
    await subscribe(world.partner.live.secret),
    await subscribe(other.live.secret),
  ]
  const game = await arena.publish({ entryFee: 10 })
  const { sessionId, seats } = await arena.play(game.id, 2, [other])
  await arena.report(sessionId, { winnerId: seats[0].playerId }, seats[0].sessionToken)
  await developer.until(2)
  const find = (event: string) => developer.received.find(({ body }) => body.event === event)
  const [reviewed, completed] = [find('arena.game_reviewed'), find('arena.session_completed')]
  expect(reviewed?.body).toMatchObject({
    event: 'arena.game_reviewed',
    data: { gameId: game.id, status: 'APPROVED' },
  })
  expect(completed?.body).toMatchObject({
    event: 'arena.session_completed',
    data: { sessionId, developerShare: 6, winnerPrize: 14 },
  })
  expect(completed?.text).not.toContain(seats[0].userId)
  const [told] = await player.until(1)
  expect(told?.body.data.players[0]).toMatchObject({ userId: seats[0].userId, isWinner: true })
  expect(player.received).toHaveLength(1)
  for (const receiver of [developer, player]) await receiver.end()
})

test('a session past its time expires within a few seconds', async () => {
  const game = await arena.publish({ entryFee: 100 })
  const userId = await arena.createUser()
  const session = await arena.openSession(game.id, { userId })
  expect(await arena.balance(userId)).toBe(0)
  await world.runtime.db.arenaSession.update({
    where: { id: session.id },
    data: { expiresAt: new Date() },
  })
  await expect
    .poll(async () => (await arena.read(session.id)).status, { timeout: 20_000, interval: 200 })
    .toBe('EXPIRED')
  expect(await arena.balance(userId)).toBe(100)
})
