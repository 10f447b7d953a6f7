/** `@tessera/client` watching a user. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../world.ts'
import { createProject, needed, type Project } from './project.ts'
import { createUnsteadyProxy, type UnsteadyProxy } from './unsteady-proxy.ts'

let project: Project
let world: World
let proxy: UnsteadyProxy
// biome-ignore lint/suspicious/noExplicitAny: the types are checked with the examples
let sdk: any
beforeAll(async () => {
  world = await createWorld()
  proxy = await createUnsteadyProxy(world.base)
  project = await createProject(['client'], needed, {})
  const file = join(project.folder, 'node_modules/@tessera/client/dist/client.js')
  sdk = await import(pathToFileURL(file).href)
}, 240_000)
afterAll(async () => {
  await proxy?.end()
  await world?.end()
  project?.end()
})

const client = (options: object = {}) =>
  sdk.createTessera({
    baseUrl: proxy.url,
    publicKey: world.keys.public,
    secretKey: world.keys.secret,
    ...options,
  })
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error) => (sdk.isTesseraError(error) ? error.code : error.name),
  )

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

test('of another or without a token is refused', async () => {
  const page = client({ secretKey: undefined })
  expect(await codeOf(page.watchUser('lively').next())).toBe('MISSING_USER_TOKEN')
})
