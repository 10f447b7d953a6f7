/** `@tessera/client` watching a user. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientStage, createClientStage } from './client-stage.ts'
import { needed } from './project.ts'

let stage: ClientStage
let world: ClientStage['world']
let proxy: ClientStage['proxy']
beforeAll(async () => {
  stage = await createClientStage(needed)
  ;({ world, proxy } = stage)
}, 240_000)
afterAll(() => stage?.end())

const client: ClientStage['client'] = (options) => stage.client(options)
const codeOf: ClientStage['codeOf'] = (call) => stage.codeOf(call)

test('gives the state of a user after each change, also after a broken connection', async () => {
  const stopping = new AbortController()
  const { signal } = stopping
  const seen: (number | null)[] = []
  const connections: boolean[] = []
  const watching = (async () => {
    const onConnection = (isConnected: boolean) => connections.push(isConnected)
    for await (const user of client().watchUser('lively', { signal, onConnection })) {
      expect(user?.goals ?? []).toEqual([])
      seen.push(user?.balance ?? null)
    }
  })()
  await expect.poll(() => seen).toEqual([null])
  await world.givePoints('lively', 1)
  await expect.poll(() => seen.at(-1), { timeout: 10_000 }).toBe(100)
  await world.givePoints('lively', 1)
  await expect.poll(() => seen.at(-1)).toBe(200)
  proxy.breakOff()
  await world.givePoints('lively', 1)
  await expect.poll(() => seen.at(-1), { timeout: 10_000 }).toBe(300)
  expect(connections).toEqual([true, false, true])
  stopping.abort()
  await watching
}, 30_000)

test('is refused to a public key without a token of the user', async () => {
  const page = client({ secretKey: undefined })
  expect(await codeOf(page.watchUser('lively').next())).toBe('MISSING_USER_TOKEN')
})
