/** Spectators of matches, on two servers if there is a PostgreSQL server. */
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { Clock } from '../../../src/kit/clock.ts'
import { createDatabase, createWorld, onPostgres, type World } from '../../world.ts'
import { makeAgent, makeMatch } from './arena.ts'

/** How two servers notify each other. The embedded database has only one server. */
export const stages: [name: string, config: { redisUrl?: string }][] = onPostgres
  ? [
      ['two nodes on one PostgreSQL', {}],
      ['two nodes on one PostgreSQL, with Redis', { redisUrl: 'redis://127.0.0.1:6379' }],
    ]
  : [['one node', {}]]

/** Two servers on one PostgreSQL database, or the same server twice on the embedded one. */
export const createStage = async (config = stages.at(-1)?.[1], more: { clock?: Clock } = {}) => {
  const database = onPostgres ? await createDatabase() : undefined
  const create = () =>
    createWorld({ ...(database && { database }), ...(config && { config }), ...more })
  const first = await create()
  const second = onPostgres ? await create() : first
  const { runtime, partner } = first
  return {
    worlds: [first, second] as const,
    /** A match that is due now. */
    newMatch: async (more = {}) => {
      const pair = [
        await makeAgent(runtime, partner.partnerId, 'minimax'),
        await makeAgent(runtime, partner.partnerId, 'mixed'),
      ] as const
      return makeMatch(runtime, pair, { bestOf: 7, ...more })
    },
    end: async () => {
      await Promise.all([...new Set([first, second])].map((world) => world.end()))
      await database?.drop()
    },
  }
}

export type Shown = {
  seq: number
  kind: string
  roundNumber: number | null
  moves: { slot: 'AGENT1' | 'AGENT2'; action: string }[]
  match?: { matchId: string; agent1: { displayName: string }; spectatorCount: number }
  rounds?: { roundNumber: number }[]
}

const fields = `seq kind: __typename
  ... on ArenaMatchPosition { roundNumber board turn }
  ... on ArenaMatchMovesMade { moves { slot action fault } }
  ... on ArenaMatchScore { winnerSlot agent1Score agent2Score }
  ... on ArenaMatchRoundCompleted { roundNumber nextRoundAt }
  ... on ArenaMatchCompleted { endReason eloChange }
  ... on ArenaMatchCancelled { endReason }
  ... on ArenaMatchSnapshot {
    match { matchId: uuid status seq spectatorCount agent1 { displayName } agent2 { displayName } }
    currentRound { roundNumber board turn moves { slot action } }
    rounds { roundNumber outcome }
  }`
export const watch = `subscription ($matchId: ID!, $afterSeq: Int, $speed: Float) {
  arenaMatchEvents(arenaMatchId: $matchId, afterSeq: $afterSeq, speed: $speed) { ${fields} } }`

export const connect = (world: World) =>
  createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })

export type Watcher = { events: Shown[]; done: Promise<void>; stop(): Promise<void> }

/** Collects what a subscription shows until it completes. */
export const follow = (world: World, variables: object, query = watch): Watcher => {
  const client = connect(world)
  const events: Shown[] = []
  const done = (async () => {
    const stream = client.iterate<{ arenaMatchEvents: Shown }>({
      query,
      variables: variables as never,
    })
    for await (const { data, errors } of stream) {
      if (errors) throw new Error(JSON.stringify(errors))
      events.push(Object.values(data as object)[0])
    }
  })()
  done.catch(() => {})
  return { events, done, stop: async () => void (await client.dispose()) }
}

export const settle = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))
export const seqs = (events: Shown[]) => events.map(({ seq }) => seq)
export const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
export const until = async (isTrue: () => boolean | Promise<boolean>) => {
  const end = Date.now() + 45_000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('it did not become true')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
