/** HTTP clients of other languages, as they come. A client that the machine lacks is skipped. */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

const lacks = (program: string, ...args: string[]) => spawnSync(program, args).status !== 0

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const run = async (program: string, args: string[]) =>
  (await promisify(execFile)(program, args)).stdout

describe.skipIf(lacks('curl', '--version'))('curl --http2', () => {
  /** Prints the body, then the status on a line of its own. */
  const curl = (path: string, ...args: string[]) =>
    run('curl', ['--http2', '-sS', '-w', '\\n%{http_code}', ...args, `${world.base}${path}`])

  test('reads and writes over plain HTTP, where it offers h2c', async () => {
    const key = ['-H', `X-API-Key: ${world.keys.public}`]
    const [games, status] = (await curl('/v1/games', ...key)).split('\n')
    expect(status).toBe('200')
    expect(JSON.parse(games as string).data).toHaveLength(3)
    const award = JSON.stringify({ userId: 'curl', eventType: 'signup' })
    const secret = ['-H', `X-API-Secret: ${world.keys.secret}`]
    const json = ['-H', 'Content-Type: application/json']
    expect(await curl('/v1/points/award', ...secret, ...json, '-d', award)).toMatch(/\n200$/)
    const query = JSON.stringify({ query: '{ __typename }' })
    expect(await curl('/graphql', ...json, '-d', query)).toMatch(/"__typename":"Query".*\n200$/)
  })
})

describe.skipIf(lacks('java', '--version'))('the HttpClient of the JDK', () => {
  test('reads and writes over plain HTTP, where it offers h2c', async () => {
    const program = join(import.meta.dirname, 'HttpClients.java')
    const { public: key, secret } = world.keys
    const printed = await run('java', [program, world.base, key, secret])
    expect(printed.trim().split('\n')).toEqual([
      expect.stringMatching(/^200 HTTP_1_1 \d{3,}$/),
      expect.stringMatching(/^200 HTTP_1_1 \d{3,}$/),
      expect.stringMatching(/^200 HTTP_1_1 \d{2,}$/),
      expect.stringMatching(/^404 HTTP_1_1 \d{2,}$/),
    ])
    const { body } = await world.get('/v1/users/java/balance', secret)
    expect(body.data.totalPoints).toBe(100)
  })
})

describe.skipIf(lacks('python3', '--version'))('http.client of Python', () => {
  test('is told that its body in Latin-1 is not UTF-8, and may send an empty body in chunks', async () => {
    const program = join(import.meta.dirname, 'http_client.py')
    const { public: key, secret } = world.keys
    const printed = await run('python3', [program, new URL(world.base).host, key, secret])
    expect(printed.trim().split('\n')).toEqual([
      '400 MALFORMED_JSON',
      '200 None',
      '404 OFFER_NOT_FOUND',
    ])
    const users = await world.runtime.db.endUser.findMany({ where: world.tenant })
    expect(users.map(({ externalId }) => externalId)).toContain('J\u00fcrgen')
    expect(users.map(({ externalId }) => externalId)).not.toContain('J\ufffdrgen')
  })
})
