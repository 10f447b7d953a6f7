/** `@tessera/client` with tokens of users, which it asks the server of the page for. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('the token of a user', () => {
  test('is asked for once, and again when it was refused', async () => {
    const { data } = await client().post('/v1/users/{userId}/token', {
      path: { userId: 'token-user' },
      body: {},
    })
    await world.givePoints('token-user', 1)
    const tokens = ['expired', data.token]
    let asked = 0
    const page = client({ secretKey: undefined, userToken: () => tokens[asked++] })
    const read = (userId: string) =>
      page.get('/v1/users/{userId}/sdk-balance', { path: { userId } })
    const [first, second] = await Promise.all([read('token-user'), read('token-user')])
    expect([first.data.totalPoints, second.data.totalPoints]).toEqual([100, 100])
    expect(await codeOf(read('somebody-else'))).toBe('USER_TOKEN_OF_ANOTHER')
    expect(asked).toBe(2)
  })

  test('is asked for again after its server failed or sent a page, which no request carries', async () => {
    const { data } = await client().post('/v1/users/{userId}/token', {
      path: { userId: 'token-user' },
      body: {},
    })
    const lost = new TypeError('Failed to fetch')
    const answers = [
      () => Promise.reject(lost),
      () => '<!doctype html>\n',
      () => '',
      () => data.token,
    ]
    const page = client({ secretKey: undefined, userToken: () => answers.shift()?.() })
    const read = () =>
      page.get('/v1/users/{userId}/sdk-balance', { path: { userId: 'token-user' } })
    proxy.plan()
    const error = await read().catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'NO_USER_TOKEN', cause: lost })
    expect(await codeOf(read())).toBe('NO_USER_TOKEN')
    expect(await codeOf(read())).toBe('NO_USER_TOKEN')
    expect(proxy.seen).toEqual([])
    expect((await read()).data.userId).toBe('token-user')
  })

  test('can be missing while nobody is signed in', async () => {
    const page = client({ secretKey: undefined, userToken: () => undefined })
    expect(await codeOf(page.get('/v1/games'))).toBe('OK')
    expect(await codeOf(client({ userToken: 'eyJ…' }).get('/v1/games'))).toBe('NO_USER_TOKEN')
  })
})
