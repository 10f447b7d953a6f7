import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { arenaSessionJobs } from '../../../src/arena/sessions/session.jobs.ts'
import { retentionJobs } from '../../../src/retention-rules.ts'
import type { World } from '../../world.ts'
import { type Arena, createArena } from '../arena-world.ts'
import { connect, createStage, follow, range, seqs, stages, until } from '../matches/spectators.ts'
import { type ShownMove, sendMoves, watchMoves } from './movers.ts'

const references = (count: number, name = 'm') => range(1, count).map((n) => `${name}${n}`)

describe.each(stages)('%s', (_, config) => {
  let now = Date.now()
  let stage: Awaited<ReturnType<typeof createStage>>
  let arena: Arena
  let free: string
  beforeAll(async () => {
    stage = await createStage(config, { clock: () => new Date(now) })
    arena = await createArena(stage.worlds[0])
    free = (await arena.publish({ maxPlayers: 2 })).id
  })
  afterAll(() => stage.end())

  const node = (n: number) => stage.worlds[n % 2] as World
  const db = () => node(0).runtime.db
  const watch = (n: number, variables: object) => follow(node(n), variables, watchMoves)
  const seen = ({ events }: { events: unknown[] }) => events as ShownMove[]
  const end = (sessionId: string, seat: { playerId: string; sessionToken: string }) =>
    arena.report(sessionId, { winnerId: seat.playerId }, seat.sessionToken)
  const runJobs = async () => {
    for (const job of [...arenaSessionJobs, ...retentionJobs]) await job.run(node(0).runtime)
  }
  /** Stores more moves than a player may send in a test. */
  const plant = (sessionId: string, playerId: string, seqs: number[], data: object = {}) =>
    db().arenaSessionMove.createMany({
      data: seqs.map((seq) => ({
        sessionId,
        playerId,
        seq,
        data,
        totalBytes: seq * 2,
        sentAt: new Date(0),
      })),
    })

  test('moves of all players come to every screen in one order, until the session ends', async () => {
    const { sessionId, seats } = await arena.play(free)
    const watchers = [0, 1, 0, 1].map((n) =>
      watch(n, { sessionId, token: seats[n % 2].sessionToken }),
    )
    for (let round = 0; round < 5; round++) {
      now += 1_000
      await Promise.all(
        range(0, 39).map((n) =>
          sendMoves(node(n), sessionId, seats[n % 2].sessionToken, [{ data: { round, n } }]),
        ),
      )
    }
    await end(sessionId, seats[0])
    await Promise.all(watchers.map(({ done }) => done))
    const [first] = watchers.map(seen)
    expect(first?.map(({ seq }) => seq)).toEqual(range(1, 200))
    for (const watcher of watchers) expect(seen(watcher)).toEqual(first)
    for (const round of range(0, 4)) {
      const part = first?.slice(round * 40, round * 40 + 40).map(({ data }) => data)
      expect(part).toHaveLength(40)
      expect(new Set(part?.map((data) => JSON.stringify(data)))).toEqual(
        new Set(range(0, 39).map((n) => JSON.stringify({ round, n }))),
      )
    }
    for (const { playerId, data } of first ?? [])
      expect(playerId).toBe(seats[(data as { n: number }).n % 2].playerId)
    await Promise.all(watchers.map(({ stop }) => stop()))
  })

  test('a screen that loses its connection goes on at another node, without gaps or repetitions', async () => {
    const { sessionId, seats } = await arena.play(free)
    const [seat] = seats
    const got: ShownMove[] = []
    const sending = (async () => {
      for (const reference of references(60)) {
        now += 60
        await sendMoves(node(0), sessionId, seat.sessionToken, [{ data: reference, reference }])
      }
      await end(sessionId, seat)
    })()
    for (let n = 0; got.length < 60; n++) {
      const client = connect(node(n))
      const variables = {
        sessionId,
        token: seat.sessionToken,
        afterSeq: got.at(-1)?.seq ?? 0,
      }
      let count = 0
      for await (const { data } of client.iterate({ query: watchMoves, variables })) {
        got.push((data as { arenaSessionMoves: ShownMove }).arenaSessionMoves)
        if (++count === 7) break
      }
      await client.dispose()
    }
    await sending
    expect(got.map(({ seq }) => seq)).toEqual(range(1, 60))
    expect(got.map(({ data }) => data)).toEqual(references(60))
    const late = watch(1, { sessionId, token: seat.sessionToken })
    await late.done
    expect(seen(late)).toEqual(got)
    await late.stop()
  })

  test('a move that is sent again is relayed once and gets its number', async () => {
    const { sessionId, seats } = await arena.play(free)
    const [ann, ben] = seats
    const moves = [{ data: 1, reference: 'a' }, { data: 2 }, { data: 3, reference: 'c' }]
    const answers = await Promise.all(
      range(0, 9).map((n) => sendMoves(node(n), sessionId, ann.sessionToken, [moves[0] as never])),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const all = await sendMoves(node(1), sessionId, ann.sessionToken, moves)
    expect(all.moves?.map(({ seq }) => seq)).toEqual([1, 2, 3])
    // A reference of one player does not match that of another.
    const other = await sendMoves(node(1), sessionId, ben.sessionToken, [moves[0] as never])
    expect(other.moves).toMatchObject([{ seq: 4, playerId: ben.playerId, reference: 'a' }])
    await end(sessionId, ann)
    const again = await sendMoves(node(0), sessionId, ann.sessionToken, [moves[2] as never])
    expect(again.moves).toMatchObject([{ seq: 3, data: 3 }])
    const fresh = await sendMoves(node(0), sessionId, ann.sessionToken, moves)
    expect(fresh.code).toBe('SESSION_NOT_IN_PROGRESS')
    expect(await db().arenaSessionMove.count({ where: { sessionId } })).toBe(4)
  })

  test('a player moves as themselves alone, and only while the session is in progress', async () => {
    const { sessionId, seats } = await arena.play(free)
    const other = await arena.play(free)
    const [ann, ben] = seats
    const code = async (id: string, token: string | null) =>
      (await sendMoves(node(0), id, token, [{ data: 1 }])).code
    const borrowed = ann.sessionToken.replace(ann.playerId, ben.playerId)
    for (const token of [null, 'x', borrowed, other.seats[0].sessionToken])
      expect(await code(sessionId, token)).toBe('INVALID_SESSION_TOKEN')
    expect(await code('00000000-0000-7000-8000-000000000000', ann.sessionToken)).toBe(
      'SESSION_NOT_FOUND',
    )
    const waiting = await arena.openSession(free)
    const seat = (await arena.join(waiting.id, await arena.createUser())).body.data
    expect(await code(waiting.id, seat.sessionToken)).toBe('SESSION_NOT_IN_PROGRESS')
    await arena.leave(waiting.id, ann.userId)
    now += 31 * 60_000
    expect(await code(sessionId, ann.sessionToken)).toBe('SESSION_NOT_IN_PROGRESS')
    const input = { arenaSessionId: sessionId, moves: [{ data: 1 }] }
    const query = `mutation ($input: SendArenaSessionMovesInput!) {
      result: sendArenaSessionMoves(input: $input) { ... on Error { code } } }`
    const { body } = await node(0).call('POST', '/graphql', {
      headers: { 'x-session-token': ben.sessionToken },
      body: { query, variables: { input } },
    })
    expect(body.data.result.code).toBe('SESSION_NOT_IN_PROGRESS')
    expect(await db().arenaSessionMove.count({ where: { sessionId } })).toBe(0)
  })

  test('a player makes 20 moves in any second, on all nodes together', async () => {
    const { sessionId, seats } = await arena.play(free)
    const [ann, ben] = seats
    const answers = await Promise.all(
      range(1, 50).map((n) => sendMoves(node(n), sessionId, ann.sessionToken, [{ data: n }])),
    )
    const refused = answers.filter(({ code }) => code)
    expect(refused).toHaveLength(30)
    for (const error of refused)
      expect(error).toEqual({
        code: 'RATE_LIMITED',
        limit: 20,
        current: 20,
        retryAfterSeconds: 1,
        message: 'A player may make 20 moves a second',
      })
    const twenty = range(1, 20).map((data) => ({ data }))
    expect((await sendMoves(node(0), sessionId, ben.sessionToken, twenty)).moves).toHaveLength(20)
    now += 999
    expect((await sendMoves(node(0), sessionId, ann.sessionToken, [{ data: 0 }])).code).toBe(
      'RATE_LIMITED',
    )
    now += 1
    const before = await db().arenaSessionMove.count({ where: { sessionId } })
    for (const count of [15, 6])
      await sendMoves(node(1), sessionId, ann.sessionToken, twenty.slice(0, count))
    // The six would be too many, so none of them is taken.
    expect(await db().arenaSessionMove.count({ where: { sessionId } })).toBe(before + 15)
  })

  test('a move is JSON of at most 4 KB, and a call has at most 20', async () => {
    const { sessionId, seats } = await arena.play(free)
    const token = seats[0].sessionToken
    const big = { data: 'x'.repeat(4 * 1024 - 2) }
    const fault = async (moves: { data: unknown; reference?: string }[]) => {
      const { code, errors } = await sendMoves(node(0), sessionId, token, moves)
      expect(code).toBe('VALIDATION_FAILED')
      return errors?.[0]?.message
    }
    expect(await fault([big, { data: `${big.data}y` }])).toBe(
      'moves.1.data must be at most 4 KB as JSON',
    )
    expect(await fault([{ data: 'ä'.repeat(2048) }])).toContain('4 KB')
    expect(await fault([{ data: 'a\0' }])).toContain('NUL')
    expect(await fault([{ data: { a: '\ud800' } }])).toContain('lone surrogates')
    expect(await fault([])).toBe('moves must not be empty')
    expect(await fault(range(1, 21).map((data) => ({ data })))).toBe(
      'moves must be at most 20 moves',
    )
    expect(await fault([{ data: 1, reference: 'x'.repeat(65) }])).toContain('64 characters')
    const twice = { data: 1, reference: 'a' }
    expect(await fault([twice, twice])).toBe('moves must have different references')
    const all = await sendMoves(node(0), sessionId, token, Array(20).fill(big))
    expect(all.moves).toHaveLength(20)
    const { totalBytes } = await db().arenaSessionMove.findFirstOrThrow({
      where: { sessionId, seq: 20 },
    })
    expect(totalBytes).toBe(20 * 4 * 1024)
  })

  test('a session has at most 100,000 moves and 16 MB', async () => {
    for (const planted of [
      { seq: 99_999, totalBytes: 10 },
      { seq: 10, totalBytes: 16 * 1024 * 1024 - 1 },
    ]) {
      const { sessionId, seats } = await arena.play(free)
      const [{ playerId, sessionToken }] = seats
      await db().arenaSessionMove.create({
        data: { ...planted, sessionId, playerId, data: 1, sentAt: new Date(0) },
      })
      const send = (moves: object[]) =>
        sendMoves(node(0), sessionId, sessionToken, moves as { data: unknown }[])
      expect(await send([{ data: 1 }, { data: 2 }])).toMatchObject({
        code: 'MOVE_LIMIT_REACHED',
        limit: 100_000,
        current: planted.seq,
      })
      expect((await send([{ data: 1 }])).moves).toMatchObject([{ seq: planted.seq + 1 }])
      expect((await send([{ data: 1 }])).code).toBe('MOVE_LIMIT_REACHED')
    }
  })

  test('everybody may watch a public session, any other only those concerned', async () => {
    const other = await node(0).createPartner()
    const refusal = async (variables: object, secret?: string) => {
      const response = await fetch(`${node(1).base}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(secret && { 'x-api-secret': secret }),
        },
        body: JSON.stringify({ query: watchMoves, variables }),
      })
      const text = await response.text()
      return /"code":"(\w+)"/.exec(text)?.[1] ?? text
    }
    const { sessionId, seats } = await arena.play(free)
    const [seat] = seats
    await sendMoves(node(0), sessionId, seat.sessionToken, [{ data: 'hidden' }])
    const open = await arena.openSession(free, { isPublic: true })
    const session = await db().arenaSession.findUniqueOrThrow({ where: { id: open.id } })
    expect(session.isPublic).toBe(true)
    await end(sessionId, seat)
    const { live, test: sandbox } = node(0).partner
    for (const [token, secret] of [
      [],
      ['x'],
      [seat.sessionToken.replace(seat.playerId, seats[1].playerId)],
      [undefined, other.live.secret],
      [undefined, sandbox.secret],
    ])
      expect(await refusal({ sessionId, token }, secret)).toBe('INVALID_SESSION_TOKEN')
    expect(await refusal({ sessionId }, live.secret)).toContain('"hidden"')
    expect(await refusal({ sessionId, token: seats[1].sessionToken })).toContain('"hidden"')
    for (const id of ['x', '00000000-0000-7000-8000-000000000000'])
      expect(await refusal({ sessionId: id })).toBe('SESSION_NOT_FOUND')
    const watcher = watch(1, { sessionId: open.id })
    const seatsOfOpen = []
    for (let n = 0; n < 2; n++)
      seatsOfOpen.push((await arena.join(open.id, await arena.createUser())).body.data)
    await sendMoves(node(0), open.id, seatsOfOpen[1].sessionToken, [{ data: 'shown' }])
    await until(() => watcher.events.length === 1)
    expect(await refusal({ sessionId: open.id, afterSeq: 2 })).toBe('INVALID_PARAMETERS')
    expect(await refusal({ sessionId: open.id, afterSeq: -1 })).toBe('INVALID_PARAMETERS')
    await end(open.id, seatsOfOpen[0])
    await watcher.done
    await watcher.stop()
  })

  test('moves are deleted ten minutes after the end, however it came', async () => {
    const [completed, expired, going] = [
      await arena.play(free),
      await arena.play(free),
      await arena.play(free),
    ]
    const left = async () =>
      Promise.all(
        [completed, expired, going].map(({ sessionId }) =>
          db().arenaSessionMove.count({ where: { sessionId } }),
        ),
      )
    for (const { sessionId, seats } of [completed, expired, going])
      await plant(sessionId, seats[0].playerId, range(1, 300))
    const { sessionId, seats } = completed
    await end(sessionId, seats[0])
    await db().arenaSession.update({
      where: { id: going.sessionId },
      data: { expiresAt: new Date(now + 3600_000) },
    })
    const watcher = watch(1, { sessionId: expired.sessionId, token: expired.seats[0].sessionToken })
    now += 9 * 60_000
    await runJobs()
    expect(await left()).toEqual([300, 300, 300])
    now += 61_000
    await runJobs()
    expect(await left()).toEqual([0, 300, 300])
    now += 20 * 60_000
    await runJobs()
    await watcher.done
    expect(seqs(watcher.events)).toEqual(range(1, 300))
    expect(await left()).toEqual([0, 300, 300])
    now += 11 * 60_000
    await runJobs()
    expect(await left()).toEqual([0, 0, 300])
    const late = watch(0, { sessionId, afterSeq: 300, token: seats[0].sessionToken })
    await late.done
    expect(late.events).toEqual([])
    await Promise.all([watcher, late].map(({ stop }) => stop()))
  })

  test('a screen that reads slowly gets every move all the same', async () => {
    const { sessionId, seats } = await arena.play(free)
    const [{ playerId, sessionToken: token }] = seats
    const socket = new WebSocket(
      `${node(1).base.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    )
    const got: number[] = []
    let isOver = false
    socket.on('message', (text) => {
      const { type, payload } = JSON.parse(String(text))
      if (type === 'connection_ack') {
        const variables = { sessionId, token }
        const message = { id: '1', type: 'subscribe', payload: { query: watchMoves, variables } }
        socket.send(JSON.stringify(message))
      }
      if (type === 'next') got.push(payload.data.arenaSessionMoves.seq)
      if (type === 'complete') isOver = true
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"type":"connection_init"}')
    await plant(sessionId, playerId, [1])
    await until(() => got.length === 1)
    socket.pause()
    const filler = { filler: 'x'.repeat(4_000) }
    for (let from = 2; from <= 3_000; from += 500)
      await plant(sessionId, playerId, range(from, Math.min(3_000, from + 499)), filler)
    // More than the connection buffers: the server has fallen behind with this reader.
    await new Promise((resolve) => setTimeout(resolve, 500))
    socket.resume()
    await until(() => got.length === 3_000)
    expect(got).toEqual(range(1, 3_000))
    await end(sessionId, seats[0])
    await until(() => isOver)
    socket.terminate()
  })
})
