import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { advance, type LeasedMatch } from '../../../src/arena/matches/write.ts'
import type { World } from '../../world.ts'
import { makeAgent, makeMatch, playAll } from './arena.ts'
import {
  connect,
  createStage,
  follow,
  range,
  type Shown,
  seqs,
  settle,
  until,
  watch,
} from './spectators.ts'

let stage: Awaited<ReturnType<typeof createStage>>
let worlds: readonly World[]
beforeAll(async () => {
  stage = await createStage()
  worlds = stage.worlds
})
afterAll(() => stage.end())

const main = () => worlds[0] as World
const newMatch = (more = {}) => stage.newMatch(more)

/** The memory in use after garbage collection. The resident set would also count freed memory. */
const heldBytes = () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Writes filler events to a match that no node holds. */
const flood = async (id: string, count: number) => {
  const { runtime } = main()
  const token = '00000000-0000-7000-8000-000000000001'
  let held = (await runtime.db.arenaMatch.update({
    where: { id },
    data: { leaseToken: token },
  })) as LeasedMatch
  const moves = [{ slot: 1 as const, action: 'x'.repeat(50), fault: null }]
  const board = Array.from({ length: 30 }, () => Array<string>(10).fill('SCISSORS'))
  for (let i = 0; i < count; i += 200)
    held = await advance(runtime, held, {
      data: {},
      events: Array.from({ length: 200 }, () => ({
        kind: 'MOVES_MADE' as const,
        gameNumber: 1,
        data: { moves, board, turn: [] },
      })),
    })
  return held.seq
}

test('a reader that stops reading uses no memory, and gets a snapshot when it reads again', async () => {
  const { id } = await newMatch({ scheduledAt: new Date(Date.now() + 3600_000) })
  const socket = new WebSocket(
    `${main().base.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  )
  const seen: Shown[] = []
  const subscribe = {
    id: '1',
    type: 'subscribe',
    payload: { query: watch, variables: { matchId: id } },
  }
  socket.on('message', (text) => {
    const { type, payload } = JSON.parse(String(text))
    if (type === 'connection_ack') socket.send(JSON.stringify(subscribe))
    if (type === 'next') seen.push(payload.data.arenaMatchEvents)
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send('{"type":"connection_init"}')
  await until(() => seen.length === 1)
  socket.pause()
  const before = heldBytes()
  const last = await flood(id, 12_000)
  // Memory of other work may be freed later.
  await until(() => heldBytes() - before < 50e6)
  socket.resume()
  await until(() => seen.at(-1)?.seq === last)
  const numbers = seqs(seen)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(new Set(numbers).size).toBe(numbers.length)
  // It did not get everything; a snapshot covers what it missed.
  expect(numbers.length).toBeLessThan(last)
  for (const [i, { seq, kind }] of seen.entries())
    if (i > 0 && seq !== (numbers[i - 1] as number) + 1) expect(kind).toBe('ArenaMatchSnapshot')
  socket.terminate()
})

describe('hostile clients', () => {
  const errorsOf = async (variables: object, query = watch) => {
    const client = connect(main())
    try {
      const first = await client.iterate({ query, variables: variables as never }).next()
      return JSON.stringify((first.value as { errors?: unknown })?.errors ?? 'none')
    } catch (error) {
      return JSON.stringify(error)
    } finally {
      await client.dispose()
    }
  }

  test('with invalid ids, numbers and speeds get errors', async () => {
    const { id } = await newMatch({ scheduledAt: new Date(Date.now() + 3600_000) })
    for (const matchId of ['', 'x', '\0', '00000000-0000-7000-8000-000000000000', 'x'.repeat(9000)])
      expect(await errorsOf({ matchId }), matchId.slice(0, 40)).toContain('MATCH_NOT_FOUND')
    for (const afterSeq of [-1, -(2 ** 31)])
      expect(await errorsOf({ matchId: id, afterSeq })).toContain('INVALID_PARAMETERS')
    for (const afterSeq of [2 ** 31, 1.5, 'x', 1e300, {}])
      expect(await errorsOf({ matchId: id, afterSeq })).toContain('Int')
    for (const speed of [0, -1, 0.01, 1001, 1e308])
      expect(await errorsOf({ matchId: id, speed })).toContain('INVALID_PARAMETERS')
    for (const speed of ['x', [], true])
      expect(await errorsOf({ matchId: id, speed })).toContain('Float')
  })

  test('that resume after a future event get the newest number, and those that resume after the newest wait', async () => {
    const { id } = await newMatch({ scheduledAt: new Date(Date.now() + 3600_000) })
    for (const more of [{}, { speed: 10 }])
      for (const afterSeq of [2, 2 ** 31 - 1])
        expect(await errorsOf({ matchId: id, afterSeq, ...more })).toContain(
          'must be at most 1, the newest event',
        )
    const waiting = follow(main(), { matchId: id, afterSeq: 1 })
    await settle()
    const last = await flood(id, 200)
    await until(() => waiting.events.at(-1)?.seq === last)
    expect(seqs(waiting.events)).toEqual(range(2, last))
    await waiting.stop()
  })

  test('with 60 subscriptions on one connection get 50, and leave no resources behind', async () => {
    const { id } = await newMatch({ scheduledAt: new Date(Date.now() + 3600_000) })
    const client = connect(main())
    let [open, refused] = [0, 0]
    for (let i = 0; i < 60; i++) {
      client.subscribe(
        { query: watch, variables: { matchId: id } },
        {
          next: () => open++,
          error: () => refused++,
          complete: () => {},
        },
      )
      if (i % 15 === 14) await settle(1100)
    }
    await until(() => open + refused === 60)
    expect([open, refused]).toEqual([50, 10])
    await client.dispose()
    const count = async () => (await main().get(`/v1/arena/matches/${id}`)).body.data.spectatorCount
    await until(async () => (await count()) === 0)
  })

  test('of another partner see no private match', async () => {
    const { runtime, createPartner } = main()
    const other = await createPartner()
    const pair = [
      await makeAgent(runtime, other.partnerId, 'random', { isPublic: false }),
      await makeAgent(runtime, other.partnerId, 'random'),
    ] as const
    const { id } = await makeMatch(runtime, pair, { matchType: 'FRIENDLY' })
    expect(await errorsOf({ matchId: id })).toContain('MATCH_NOT_FOUND')
    expect((await main().get(`/v1/arena/matches/${id}`)).status).toBe(404)
    const query = 'query ($id: ID!) { arena { match(id: $id) { uuid } } }'
    const askAs = async (partnerId: string) =>
      main().call('POST', '/graphql', {
        key: await main().signInAs('OWNER', partnerId),
        headers: { 'x-environment': 'LIVE' },
        body: { query, variables: { id } },
      })
    expect((await askAs(main().partner.partnerId)).body.data.arena.match).toBeNull()
    expect((await askAs(other.partnerId)).body.data.arena.match.uuid).toBe(id)
    // As in REST, a secret key of its owner is not enough.
    const byKey = await main().graphql(query, { id }, other.live)
    expect(byKey.body.data.arena.match).toBeNull()
    const own = '{ arenaMatches { totalCount { value } } }'
    const list = await main().graphql(own, {}, other.live)
    expect(list.body.errors[0].extensions.code).toBe('INVALID_BEARER_TOKEN')
    await playAll(runtime)
  })
})
