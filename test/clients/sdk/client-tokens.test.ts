/** `@tessera/client` with tokens of users, which it asks the server of the page for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
