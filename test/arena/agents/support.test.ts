import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../../world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const support = (agentId: string, body: object, key = world.partner.live.secret) =>
  world.post(`/v1/arena/agents/${agentId}/support`, key, body)

test('users give points from their wallets and are listed with name and amount', async () => {
  const { runtime, partner } = world
  const { id } = await makeAgent(runtime, partner.partnerId, 'random')
  await world.givePoints('ann', 3, 'signup', partner.live.secret)
  await world.givePoints('ben', 1, 'signup', partner.live.secret)
  await runtime.db.endUser.updateMany({
    where: { externalId: 'ann' },
    data: { displayName: 'Ann' },
  })
  expect((await support(id, { userId: 'ann', amount: 100 })).body.data).toEqual({
    agentId: id,
    userId: 'ann',
    amount: 100,
    userBalance: 200,
    totalSupportReceived: 100,
    totalSupporters: 1,
  })
  const again = await support(id.toUpperCase(), { userId: 'ann', amount: 50 })
  expect(again.body.data).toMatchObject({ agentId: id, totalSupportReceived: 150 })
  expect((await support(id, { userId: 'ben', amount: 60 })).status).toBe(200)
  const { body } = await world.get(`/v1/arena/agents/${id}/supporters?limit=1`)
  expect(body.data).toEqual({
    supporters: [{ name: 'Ann', amount: 150 }],
    total: 2,
    page: 1,
    totalPages: 2,
  })
  const second = await world.get(`/v1/arena/agents/${id}/supporters?limit=1&page=2`)
  expect(second.body.data.supporters).toEqual([{ name: 'Anonymous', amount: 60 }])
  expect(second.text).not.toContain('ben')
  const detail = (await world.get(`/v1/arena/agents/${id}`)).body.data
  expect(detail).toMatchObject({ totalSupportReceived: 210, totalSupporters: 2 })
})

test('an invalid gift is refused', async () => {
  const { runtime, partner } = world
  const { id } = await makeAgent(runtime, partner.partnerId, 'random')
  await world.givePoints('cat', 1, 'signup', partner.live.secret)
  const codeOf = async (body: object, agentId = id, key?: string) =>
    (await support(agentId, body, key)).body.code
  expect(await codeOf({ userId: 'cat', amount: 101 })).toBe(402)
  expect(await codeOf({ userId: 'nobody', amount: 1 })).toBe(404)
  expect(await codeOf({ userId: 'cat', amount: 1 }, 'junk')).toBe(404)
  expect(await codeOf({ userId: 'cat', amount: 1 }, '00000000-0000-7000-8000-000000000000')).toBe(
    404,
  )
  expect(await codeOf({ userId: 'cat', amount: 1 }, id, partner.test.secret)).toBe(403)
  for (const amount of [0, -1, 1.5, '1', 2 ** 31, null])
    expect(await codeOf({ userId: 'cat', amount })).toBe(400)
  expect((await world.post(`/v1/arena/agents/${id}/support`, undefined, {})).status).toBe(401)
})

test('of 60 concurrent gifts of 10 points to two agents, a wallet of 300 pays 30', async () => {
  const { runtime, partner } = world
  const agents = [
    await makeAgent(runtime, partner.partnerId, 'random'),
    await makeAgent(runtime, partner.partnerId, 'random'),
  ]
  await world.givePoints('dan', 3, 'signup', partner.live.secret)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      support(agents[i % 2]?.id ?? '', { userId: 'dan', amount: 10 }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.filter((status) => status === 402)).toHaveLength(30)
})
