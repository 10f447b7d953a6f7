/** `@tessera/client` as it is packed: its README, its size, and what it does when calls fail. */
import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAgent, makeMatch, playAll } from '../../arena/matches/arena.ts'
import { untilListening } from '../../listeners.ts'
import { createWorld, type World } from '../../world.ts'
import { type ClientStage, createClientStage } from './client-stage.ts'
import { bundledBytes, examplesOf, faultsOf, needed, nodes } from './project.ts'

const examples = examplesOf('client')
let stage: ClientStage
let world: ClientStage['world']
let proxy: ClientStage['proxy']
let project: ClientStage['project']
beforeAll(async () => {
  stage = await createClientStage([...needed, 'gql.tada'], examples)
  ;({ world, proxy, project } = stage)
  // As a compiler would, for a Node.js that does not strip types.
  project.put('graphql.mjs', stripTypeScriptTypes(examples['graphql.mts'] ?? ''))
}, 240_000)
afterAll(() => stage?.end())
beforeEach(() => proxy.plan())

const client: ClientStage['client'] = (options) => stage.client(options)
const codeOf: ClientStage['codeOf'] = (call) => stage.codeOf(call)
const award = (userId: string, reference?: string) => ({
  body: { userId, eventType: 'signup', ...(reference && { reference }) },
})

describe('the package', () => {
  test('publint and attw find nothing', async () => {
    expect(await faultsOf('client')).toBe('')
  }, 60_000)

  test('takes 9 KB at most in a bundle, compressed', async () => {
    const entry = "import { createTessera } from '@tessera/client'\nconsole.log(createTessera)"
    expect(await bundledBytes(project, entry)).toBeLessThan(9 * 1024)
  }, 60_000)

  test('gives types to its examples', async () => {
    expect(await project.check()).toBe('')
  }, 120_000)

  test('gives types that refuse what the API refuses', async () => {
    const wrong = `
import { createTessera, isTesseraError } from '@tessera/client'
const tessera = createTessera({ baseUrl: 'http://localhost' })
// @ts-expect-error there is no such path
tessera.get('/v1/nothing')
// @ts-expect-error the body is missing
tessera.post('/v1/points/award')
// @ts-expect-error so is the user
tessera.post('/v1/points/award', { body: { eventType: 'signup' } })
// @ts-expect-error no game of this type
tessera.post('/v1/games/play', { body: { userId: 'ann', gameType: 'POKER' } })
// @ts-expect-error the path has a parameter
tessera.get('/v1/users/{userId}/balance')
// @ts-expect-error no list
tessera.list('/v1/users/{userId}/balance', { path: { userId: 'ann' } })
const { data } = await tessera.get('/v1/leaderboard')
/** @type {string | undefined} */
// @ts-expect-error a number
export const rank = data[0]?.rank
try {} catch (error) {
  // @ts-expect-error only some errors have fields
  if (isTesseraError(error)) error.fields
  // @ts-expect-error no code of ours
  if (isTesseraError(error) && error.code === 'NO_LUCK') throw error
  if (isTesseraError(error) && error.code === 'VALIDATION_FAILED') console.log(error.fields[0]?.field)
}`
    expect(await project.check({ 'wrong.mjs': wrong })).toBe('')
  }, 120_000)

  describe.each(nodes)('runs its examples with Node.js %s', (_, node) => {
    let fresh: World
    beforeAll(async () => {
      fresh = await createWorld()
    })
    afterAll(() => fresh.end())
    const environment = () => ({
      TESSERA_URL: fresh.base,
      TESSERA_SECRET_KEY: fresh.keys.secret,
      TESSERA_PUBLIC_KEY: fresh.keys.public,
    })
    const run = (file: string) => project.run(node, [file], environment())

    test('award.mjs, which awards once', async () => {
      expect(await run('award.mjs')).toBe('alice has 100 points\n100\n')
      expect(await run('award.mjs')).toBe('alice has these points already\n100\n')
    })
    test.each([
      ['errors.mjs', /^nobody cannot play: User not found\nuserId: .+\n$/],
      ['lists.mjs', /^signup 100\npoints\.awarded 20\S+Z\n$/],
      ['graphql.mjs', /^100\nalice 100\n$/],
      ['rewards.mjs', /^welcome-bonus: ISSUED, 50 points\nwelcome-bonus ISSUED\n$/],
    ])('%s, twice', async (file, output) => {
      for (let time = 1; time <= 2; time++) expect(await run(file)).toMatch(output)
    })
    test('shop.mjs, which buys once', async () => {
      expect(await run('shop.mjs')).toBe(
        'water-bottle: ISSUED, 40 points are left\nHanded out to dave: Water bottle\n',
      )
      expect(await run('shop.mjs')).toBe('water-bottle: FULFILLED, 40 points are left\n')
    })
    test('events.mjs', async () => {
      const event = (await fresh.get('/v1/events', fresh.keys.secret)).body.data[0]
      await fresh.givePoints('alice', 1)
      const program = project.start(node, ['events.mjs'], {
        ...environment(),
        LAST_EVENT: event.id,
      })
      await program.until(/alice has 200 points, [\w-]{36}\n/).finally(program.end)
    })
    test('user.mjs', async () => {
      const program = project.start(node, ['user.mjs'], environment())
      await program.until(/^\d+ points/)
      await fresh.givePoints('alice', 1)
      const balance = (await fresh.get('/v1/users/alice/balance', fresh.keys.secret)).body.data
      await program.until(new RegExp(`^${balance.totalPoints} points$`, 'm')).finally(program.end)
    })
    test('match.mjs', async () => {
      const { runtime, partner } = fresh
      const agent = () => makeAgent(runtime, partner.partnerId, 'random')
      const { id } = await makeMatch(runtime, [await agent(), await agent()])
      const program = project.start(node, ['match.mjs'], { ...environment(), MATCH_ID: id })
      await program.until(/ vs .+\n/)
      await playAll(runtime)
      await program.until(/^\d:\d\n/m).finally(program.end)
      expect(program.said()).toMatch(/^.+ vs .+\n(AGENT[12]: \S+(, AGENT[12]: \S+)?\n)+\d:\d\n$/)
    })
  })
})

describe('a call that fails', () => {
  const keysSeen = () => new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']))

  test('is repeated as the same call, so nothing happens twice', async () => {
    proxy.plan('LOSE_ANSWER', { status: 502 }, 'LOSE_ANSWER')
    const { data } = await client().post('/v1/points/award', award('twice'))
    expect(data.userBalance).toBe(100)
    expect(proxy.seen).toHaveLength(4)
    expect(keysSeen().size).toBe(1)
    const { data: balance } = await client().get('/v1/users/{userId}/balance', {
      path: { userId: 'twice' },
    })
    expect(balance.totalPoints).toBe(100)
    await client().post('/v1/points/award', award('twice'))
    expect(keysSeen().size).toBe(3) // without one for the balance
  }, 30_000)

  test('has the key of its caller, by REST and by GraphQL', async () => {
    const mutation = `mutation { awardPoints(input: { user: { externalId: "keyed" }, eventType: "signup" }) {
      ... on AwardPointsPayload { user { balance } } } }`
    for (const _ of [1, 2]) {
      await client().post('/v1/points/award', { ...award('keyed'), idempotencyKey: 'order-1' })
      proxy.plan('LOSE_ANSWER')
      const { awardPoints } = await client().graphql(mutation, {}, { idempotencyKey: 'order-2' })
      expect(awardPoints.user.balance).toBe(200)
    }
  }, 30_000)

  test('waits as long as Retry-After says', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after': '2' },
      body: '{"errorCode":"RATE_LIMITED"}',
    }
    proxy.plan(busy)
    const startedAt = Date.now()
    await client().get('/v1/games')
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_000)
    expect(proxy.seen).toHaveLength(2)

    proxy.plan({ ...busy, headers: { 'retry-after': '600' } })
    const error = await client()
      .get('/v1/games')
      .catch((error: object) => error)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 600 })
    expect(proxy.seen).toHaveLength(1)
  })

  test('gives up after its retries', async () => {
    proxy.plan(...Array(9).fill({ status: 503, body: '{"errorCode":"OVERLOADED"}' }))
    expect(await codeOf(client({ retries: 1 }).get('/v1/games'))).toBe('OVERLOADED')
    expect(proxy.seen).toHaveLength(2)
    proxy.plan(...Array(9).fill({ status: 502, body: '<html>' }))
    expect(await codeOf(client({ retries: 0 }).get('/v1/games'))).toBe('UNREADABLE_ANSWER')
    expect(proxy.seen).toHaveLength(1)
  })

  test('is not repeated where that might do something twice', async () => {
    proxy.plan('LOSE_ANSWER')
    const change = { path: { endpointId: crypto.randomUUID() }, body: { description: 'x' } }
    expect(await codeOf(client().patch('/v1/webhooks/{endpointId}', change))).toBe(
      'CONNECTION_FAILED',
    )
    expect(proxy.seen).toHaveLength(1)
  })

  test('is not repeated when it is refused', async () => {
    expect(await codeOf(client({ secretKey: 'sk_test_wrong' }).get('/v1/events'))).toBe(
      'INVALID_API_KEY',
    )
    expect(proxy.seen).toHaveLength(1)
  })

  test('ends after its time, and when its caller says so', async () => {
    proxy.plan('SILENCE', 'SILENCE')
    const impatient = client({ timeoutMs: 2_000, retries: 1 })
    expect(await codeOf(impatient.get('/v1/games'))).toBe('TIMED_OUT')
    expect(proxy.seen).toHaveLength(2)
    proxy.plan('SILENCE')
    const signal = AbortSignal.timeout(200)
    expect(await codeOf(client().get('/v1/games', { signal }))).toBe('TimeoutError')
    const nowhere = client({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
    expect(await codeOf(nowhere.get('/v1/games'))).toBe('CONNECTION_FAILED')
  })
})

describe('errors', () => {
  test('are the same by REST and GraphQL, with the fields that are wrong', async () => {
    const byRest = await client()
      .post('/v1/points/award', { body: { userId: '', eventType: 'signup' } })
      .catch((error: object) => error)
    expect(byRest).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, name: 'TesseraError' })
    expect(byRest.fields).toEqual([expect.objectContaining({ field: 'userId' })])
    expect(byRest.requestId).toMatch(/^[\w-]{36}$/)
    const byGraphql = await client()
      .graphql('{ users(first: 1000) { nodes { id } } }')
      .catch((error: object) => error)
    expect(byGraphql).toMatchObject({ code: 'INVALID_PARAMETERS', status: 400 })
    expect(byGraphql.fields).toEqual([expect.objectContaining({ field: 'first' })])
    expect(byGraphql.requestId).toMatch(/^[\w-]{36}$/)
    expect(await codeOf(client().graphql('{ nothing }'))).toBe('GRAPHQL_VALIDATION_FAILED')
  })

  test('of GraphQL beside data keep the data', async () => {
    const error = await client()
      .graphql('{ games { gameType } node(id: "broken") { id } }')
      .catch((error: object) => error)
    expect(error).toMatchObject({ code: 'INVALID_NODE_ID' })
    expect(error.graphql.data.games).toHaveLength(3)
  })

  test('are thrown at once for keys and addresses that cannot work', () => {
    expect(() => client({ secretKey: 'whsec_1' })).toThrow('Is it set?')
    expect(() => client({ secretKey: 'sk_test_…' })).toThrow('Is it set?')
    for (const baseUrl of ['tessera.example.com', 'localhost:4000', '', '/api'])
      expect(() => client({ baseUrl })).toThrow('baseUrl begins with http:// or https://')
  })
})

describe('lists', () => {
  const gather = async <T>(items: AsyncIterable<T>) => {
    const all: T[] = []
    for await (const item of items) all.push(item)
    return all
  }

  test('give every item once, in as many requests as there are pages', async () => {
    await world.givePoints('lister', 25, 'daily_login')
    const path = { userId: 'lister' }
    proxy.plan()
    const items = await gather<{ id: string }>(
      client().list('/v1/users/{userId}/history', { path, query: { limit: 10 } }),
    )
    expect(new Set(items.map(({ id }) => id)).size).toBe(25)
    expect(proxy.seen).toHaveLength(3)
    proxy.plan()
    for await (const _ of client().list('/v1/users/{userId}/history', { path })) break
    expect(proxy.seen).toHaveLength(1)
    expect(await gather(client().list('/v1/users/{userId}/plays', { path }))).toEqual([])
  })

  test('of events go on after the last one', async () => {
    proxy.plan()
    const query = { limit: 10, types: ['points.*', 'game.played'] }
    const events = await gather<{ id: string; data: { userId: string } }>(
      client().list('/v1/events', { query }),
    )
    expect(proxy.seen[0]?.url).toContain('types=points.*,game.played')
    const ofLister = events.filter(({ data }) => data.userId === 'lister')
    expect(new Set(ofLister.map(({ id }) => id)).size).toBe(25)
    const after = events.at(-2)?.id
    expect(await gather(client().list('/v1/events', { query: { after } }))).toHaveLength(1)
  })

  test('whose items lie deeper in the envelope', async () => {
    const items = await gather(
      client().list('/v1/user-journeys/users/{externalId}/timeline', {
        path: { externalId: 'lister' },
        query: { limit: 10 },
      }),
    )
    expect(items.length).toBe(25)
  })

  test('of GraphQL follow their cursors', async () => {
    const document = `query ($after: String) { users(first: 2, after: $after) {
      nodes { externalId } pageInfo { hasNextPage endCursor } } }`
    type Data = { users: unknown }
    const users = await gather<{ externalId: string }>(
      client().nodes(document, {}, ({ users }: Data) => users),
    )
    expect(users.map(({ externalId }) => externalId)).toEqual(
      expect.arrayContaining(['lister', 'twice', 'keyed']),
    )
    expect(new Set(users.map(({ externalId }) => externalId)).size).toBe(users.length)
  })
})

describe('what is live', () => {
  test('goes on after broken connections without a gap', async () => {
    const { runtime, partner } = world
    const agent = () => makeAgent(runtime, partner.partnerId, 'random')
    const { id } = await makeMatch(runtime, [await agent(), await agent()])
    const seqs: number[] = []
    let last = ''
    const connections: boolean[] = []
    const watching = (async () => {
      const onConnection = (isConnected: boolean) => connections.push(isConnected)
      for await (const { seq, __typename } of client().watchMatch(id, { onConnection })) {
        seqs.push(seq)
        last = __typename
        if (seqs.length % 4 === 1) proxy.breakOff()
      }
    })()
    await expect.poll(() => seqs.length).toBeGreaterThan(0)
    await playAll(runtime)
    await watching
    expect(last).toBe('ArenaMatchCompleted')
    expect(seqs.length).toBeGreaterThan(8)
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] as number) + i))
    expect(connections.filter((one) => !one).length).toBeGreaterThan(1)
    const over = client().watchMatch(id) // Its snapshot, and nothing more.
    expect([await over.next(), await over.next()]).toMatchObject([{ done: false }, { done: true }])
  }, 60_000)

  test('tells of everything that happens, until its signal', async () => {
    const stopping = new AbortController()
    const { signal } = stopping
    const seen: string[] = []
    const listening = untilListening(world, 'event')
    const watching = (async () => {
      for await (const { event, data } of client().watchEvents({ signal, types: ['points.*'] }))
        seen.push(`${event} ${data.userId}`)
    })()
    await listening
    await world.givePoints('watched', 1)
    await expect.poll(() => seen).toEqual(['points.awarded watched'])
    proxy.breakOff()
    await world.givePoints('missed', 1)
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('points.awarded missed')
    stopping.abort()
    await watching
    expect(seen).toHaveLength(2)
  }, 30_000)

  test('is refused once and for all where it is not there', async () => {
    const event = client().watchMatch(crypto.randomUUID()).next()
    expect(await codeOf(event)).toBe('MATCH_NOT_FOUND')
    const nowhere = client({ baseUrl: 'http://127.0.0.1:1', retries: 1 })
    expect(await codeOf(nowhere.watchMatch('x').next())).toBe('CONNECTION_FAILED')
  })
})
