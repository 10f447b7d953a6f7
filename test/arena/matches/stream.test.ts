import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeMatch } from '../../../src/arena/matches/match.ts'
import type { World } from '../../world.ts'
import { playAll } from './arena.ts'
import {
  connect,
  createStage,
  follow,
  range,
  type Shown,
  seqs,
  settle,
  stages,
  until,
  type Watcher,
  watch,
} from './spectators.ts'

describe.each(stages)('%s', (_, config) => {
  let stage: Awaited<ReturnType<typeof createStage>>
  let worlds: readonly World[]
  beforeAll(async () => {
    stage = await createStage(config)
    worlds = stage.worlds
  })
  afterAll(() => stage.end())

  const main = () => worlds[0] as World
  const newMatch = (more = {}) => stage.newMatch(more)
  const read = (id: string) => main().runtime.db.arenaMatch.findUniqueOrThrow({ where: { id } })

  describe('a live match', () => {
    test('is streamed on every node as a snapshot and then every event in order, and completes', async () => {
      const { id } = await newMatch()
      const watchers = [0, 1, 0, 1, 0, 1].map((i) => follow(worlds[i] as World, { matchId: id }))
      await until(() => watchers.every(({ events }) => events.length > 0))
      await playAll(main().runtime)
      await Promise.all(watchers.map(({ done }) => done))
      const { seq } = await read(id)
      for (const { events } of watchers) {
        expect(events[0]).toMatchObject({
          kind: 'ArenaMatchSnapshot',
          seq: 1,
          match: { matchId: id },
        })
        expect(seqs(events.slice(1))).toEqual(range(2, seq))
        expect(events.at(-1)?.kind).toBe('ArenaMatchCompleted')
        expect(events).toEqual(watchers[0]?.events.map((event) => event))
      }
      await Promise.all(watchers.map(({ stop }) => stop()))
    })

    test('shows tic-tac-toe move by move, and the moves lead to the boards', async () => {
      const { id } = await newMatch({ bestOf: 1 })
      await playAll(main().runtime)
      const watcher = follow(main(), { matchId: id, afterSeq: 0 })
      await watcher.done
      const moves = watcher.events.filter(({ kind }) => kind === 'ArenaMatchMovesMade')
      expect(moves.length).toBeGreaterThan(4)
      for (const { moves: made } of moves) expect(made).toHaveLength(1)
      await watcher.stop()
    })

    test('has a type for each kind of event, and every event shows the match as it is now', async () => {
      const [played, cancelled] = [await newMatch(), await newMatch()]
      await closeMatch(main().runtime, cancelled.id, 'A partner was closed')
      await playAll(main().runtime)
      const query = `subscription ($matchId: ID!) { arenaMatchEvents(arenaMatchId: $matchId, afterSeq: 0) {
        kind: __typename match { uuid status } ... on ArenaMatchCancelled { endReason } } }`
      const watchers = [played, cancelled].map(({ id }) => follow(main(), { matchId: id }, query))
      await Promise.all(watchers.map(({ done }) => done))
      const [all, short] = watchers.map(({ events }) => events)
      expect([...new Set(all?.map(({ kind }) => kind))]).toEqual([
        'ArenaMatchScheduled',
        'ArenaMatchStarted',
        'ArenaMatchRoundStarted',
        'ArenaMatchMovesMade',
        'ArenaMatchRoundCompleted',
        'ArenaMatchCompleted',
      ])
      for (const { match } of all ?? [])
        expect(match).toEqual({ uuid: played.id, status: 'COMPLETED' })
      const match = { uuid: cancelled.id, status: 'CANCELLED' }
      expect(short).toEqual([
        { kind: 'ArenaMatchScheduled', match },
        { kind: 'ArenaMatchCancelled', match, endReason: 'PARTNER_CLOSED' },
      ])
      await Promise.all(watchers.map(({ stop }) => stop()))
    })

    test('is resumed after a broken connection on another node, without gaps or duplicates', async () => {
      const { id } = await newMatch()
      const playing = playAll(main().runtime)
      const seen: number[] = [0]
      for (let i = 0; ; i++) {
        const client = connect(worlds[i % 2] as World)
        let ended = true
        const stream = client.iterate<{ arenaMatchEvents: Shown }>({
          query: watch,
          variables: { matchId: id, afterSeq: seen.at(-1) ?? 0 },
        })
        let count = 0
        for await (const { data } of stream) {
          seen.push((data as { arenaMatchEvents: Shown }).arenaMatchEvents.seq)
          ended = false
          if (++count === 7) break
        }
        // The connection breaks: nothing more is read from it.
        await client.dispose()
        if (ended || count < 7) break
      }
      await playing
      expect(seen).toEqual(range(0, (await read(id)).seq))
    })

    test('that is joined in the middle begins with a snapshot, followed by the next event', async () => {
      const { id } = await newMatch()
      const { runtime } = main()
      const playing = playAll(runtime)
      const watchers: Watcher[] = []
      for (let i = 0; i < 12; i++) {
        watchers.push(follow(worlds[i % 2] as World, { matchId: id }))
        await settle(15)
      }
      await playing
      await Promise.all(watchers.map(({ done }) => done))
      const { seq } = await read(id)
      for (const { events } of watchers) {
        const [first] = events as [Shown]
        expect(first.kind).toBe('ArenaMatchSnapshot')
        expect(seqs(events.slice(1))).toEqual(range(first.seq + 1, seq))
      }
      await Promise.all(watchers.map(({ stop }) => stop()))
    })

    test('counts its spectators across all nodes until they leave', async () => {
      const { id } = await newMatch({ scheduledAt: new Date(Date.now() + 3600_000) })
      const watchers = [0, 1, 1].map((i) => follow(worlds[i] as World, { matchId: id }))
      const count = async () =>
        (await worlds[1]?.get(`/v1/arena/matches/${id}`))?.body.data.spectatorCount
      await until(async () => (await count()) === 3)
      await watchers[1]?.stop()
      await until(async () => (await count()) === 2)
      await Promise.all(watchers.map(({ stop }) => stop()))
      await until(async () => (await count()) === 0)
    })

    test('sends the same events over SSE', async () => {
      const { id } = await newMatch({ bestOf: 1 })
      const response = await fetch(`${worlds[1]?.base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: watch, variables: { matchId: id } }),
      })
      await settle(300)
      await playAll(main().runtime)
      const text = await response.text()
      const shown = [...text.matchAll(/^data: (\{.*\})$/gm)].map(
        ([, json]) => JSON.parse(String(json)).data.arenaMatchEvents as Shown,
      )
      expect(shown[0]?.kind).toBe('ArenaMatchSnapshot')
      expect(seqs(shown.slice(1))).toEqual(range((shown[0]?.seq ?? 0) + 1, (await read(id)).seq))
      expect(text).toContain('event: complete')
    })
  })

  describe('a match that is over', () => {
    test('is streamed as a snapshot, as all its events, or as a replay', async () => {
      const { id } = await newMatch({ bestOf: 1 })
      await playAll(main().runtime)
      const { seq } = await read(id)
      const [still, all, again, part] = await Promise.all(
        [{}, { afterSeq: 0 }, { speed: 1000 }, { speed: 1000, afterSeq: 4 }].map(async (more) => {
          const watcher = follow(main(), { matchId: id, ...more })
          await watcher.done
          await watcher.stop()
          return watcher.events
        }),
      )
      expect(still?.map(({ kind }) => kind)).toEqual(['ArenaMatchSnapshot'])
      expect(still?.[0]?.rounds?.length).toBeGreaterThan(0)
      expect(seqs(all ?? [])).toEqual(range(1, seq))
      expect(again).toEqual(all)
      expect(seqs(part ?? [])).toEqual(range(5, seq))
      const nothing = follow(main(), { matchId: id, afterSeq: seq })
      await nothing.done
      expect(nothing.events).toEqual([])
      await nothing.stop()
    })

    test('is replayed with its pauses at the requested speed', async () => {
      const { id } = await newMatch({ bestOf: 1 })
      await playAll(main().runtime)
      const { seq } = await read(id)
      const { pool } = main().server.database
      await pool.query({ text: 'ALTER TABLE arena_match_event DISABLE TRIGGER ALL' })
      await pool.query({
        text: `UPDATE arena_match_event SET occurred_at = occurred_at + seq * interval '1 second'
        WHERE match_id = $1`,
        values: [id],
      })
      await pool.query({ text: 'ALTER TABLE arena_match_event ENABLE TRIGGER ALL' })
      const startedAt = Date.now()
      const watcher = follow(main(), { matchId: id, speed: 20 })
      await watcher.done
      const took = Date.now() - startedAt
      expect(seqs(watcher.events)).toEqual(range(1, seq))
      expect(took).toBeGreaterThan(((seq - 1) * 1000) / 20 - 50)
      await watcher.stop()
    })
  })

  describe('the lists', () => {
    test('of live matches and of the best agents send changes', async () => {
      const live = follow(
        worlds[1] as World,
        {},
        'subscription { arenaLiveMatchesChanged { kind matches { matchId: uuid status spectatorCount } } }',
      )
      const board = follow(
        worlds[1] as World,
        {},
        'subscription { arenaLeaderboardChanged { rank agent { eloRating } } }',
      )
      await until(() => live.events.length > 0 && board.events.length > 0)
      expect(live.events[0]?.kind).toBe('SNAPSHOT')
      const { id } = await newMatch({ gameType: 'CONNECT_FOUR', bestOf: 3 })
      const { runtime } = main()
      const slow = {
        ...runtime,
        config: { ...runtime.config, arena: { ...runtime.config.arena, movePauseMs: 60 } },
      }
      await playAll(slow)
      const kindsOf = () =>
        (live.events as unknown as { kind: string; matches: { matchId: string }[] }[])
          .filter(({ matches }) => matches.some(({ matchId }) => matchId === id))
          .map(({ kind }) => kind)
      await until(() => kindsOf().includes('ENDED'))
      expect(kindsOf()[0]).toBe('STARTED')
      expect(kindsOf()).toContain('CHANGED')
      await until(() => board.events.length > 1)
      await Promise.all([live.stop(), board.stop()])
    })
  })
})
