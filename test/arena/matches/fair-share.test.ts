import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startMatches } from '../../../src/arena/matches/runner.ts'
import { createWorld } from '../../world.ts'
import { makeAgent, makeMatch } from './arena.ts'

test('a partner with slow agents leaves half of a node to others', async () => {
  const world = await createWorld({ config: { webhookAllowPrivate: true } })
  const { runtime, partner } = world
  let requested = 0
  const silent = createServer(() => requested++)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { partnerId } = await world.createPartner()
  const slow = await makeAgent(runtime, partnerId, 'random', {
    provider: 'CUSTOM',
    endpointUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  })
  const other = await makeAgent(runtime, partnerId, 'random')
  for (let i = 0; i < 110; i++)
    await makeMatch(runtime, [slow, other], { gameType: 'ROCK_PAPER_SCISSORS', bestOf: 1 })
  const own = [
    await makeAgent(runtime, partner.partnerId, 'minimax'),
    await makeAgent(runtime, partner.partnerId, 'random'),
  ] as const
  const { id } = await makeMatch(runtime, own, { bestOf: 1 })
  const stop = startMatches(runtime)
  await expect
    .poll(() => runtime.db.arenaMatch.findUnique({ where: { id } }), { timeout: 10_000 })
    .toMatchObject({ status: 'COMPLETED' })
  await expect.poll(() => requested, { timeout: 10_000 }).toBe(50)
  const held = await runtime.db.arenaMatch.count({
    where: { partnerId, leaseToken: { not: null } },
  })
  expect(held).toBe(50)
  silent.closeAllConnections()
  silent.close()
  await stop()
  await world.end()
})
