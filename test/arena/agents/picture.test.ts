import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { makeAgent } from '../matches/arena.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

test('an agent without a picture has a generated one at a stable address', async () => {
  const { runtime, partner } = world
  const { id } = await makeAgent(runtime, partner.partnerId, 'random')
  const url = `${runtime.config.publicUrl}/arena/agents/${id}/avatar.svg`
  for (const path of [`/v1/arena/agents/${id}`, '/v1/arena/agents', '/v1/arena/leaderboard']) {
    const { data } = (await world.get(path)).body
    expect([data].flat()[0].avatarUrl).toBe(url)
  }
  const picture = () => fetch(new URL(new URL(url).pathname, world.base))
  const answer = await picture()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(answer.headers.get('cache-control')).toContain('immutable')
  const text = await answer.text()
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/)
  expect(await (await picture()).text()).toBe(text)
})

test('a picture set by the owner is shown', async () => {
  const { runtime, partner } = world
  const avatarUrl = 'https://pictures.example.com/robot.png'
  const { id } = await makeAgent(runtime, partner.partnerId, 'random', { avatarUrl })
  expect((await world.get(`/v1/arena/agents/${id}`)).body.data.avatarUrl).toBe(avatarUrl)
})

test('a text that is not the id of an agent has no picture', async () => {
  const answer = await fetch(new URL('/arena/agents/1%22%3E%3Cscript/avatar.svg', world.base))
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('script')
})
