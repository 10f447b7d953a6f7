import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { production: false } })
})
afterAll(() => world.end())

const ask = (headers: Record<string, string>, at = world) =>
  at.call('POST', '/graphql', {
    headers: { 'x-api-key': at.keys.public, ...headers },
    body: { query: '{ mechanics: games { name } }' },
  })

test('developers can request the timings of fields', async () => {
  const { body } = await ask({ 'x-tessera-timings': '1' })
  expect(body.data.mechanics).toHaveLength(3)
  const { totalMs, fields } = body.extensions.timings
  expect(fields.map(({ path }: { path: string }) => path).sort()).toEqual([
    'mechanics',
    'mechanics.name',
  ])
  for (const { ms } of fields) expect(ms).toBeLessThanOrEqual(totalMs)
  expect(body.extensions.cost.requested).toBe(100)
  expect((await ask({})).body.extensions.timings).toBeUndefined()
})

test('there are no timings in production', async () => {
  const production = await createWorld()
  expect(
    (await ask({ 'x-tessera-timings': '1' }, production)).body.extensions.timings,
  ).toBeUndefined()
  await production.end()
})
