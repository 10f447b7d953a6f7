/** Streams of the list of live matches and of the leaderboard. */

import type { ArenaMatch } from '../../generated/prisma/client.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { singleton } from '../../kit/singleton.ts'
import { type Broadcast, observe, SharedStream } from '../../kit/streams/broadcast.ts'
import { listTopAgents, type RankedAgent } from '../agents/agent-read.ts'

export type LiveChange = {
  kind: 'SNAPSHOT' | 'STARTED' | 'CHANGED' | 'ENDED'
  matches: ArenaMatch[]
}

/** The maximum number of matches in the list. */
const listed = 100

const pollMatches = async (
  { db }: Runtime,
  before: ArenaMatch[] | undefined,
): Promise<{ state: ArenaMatch[]; changes: LiveChange[] }> => {
  const state = await db.arenaMatch.findMany({
    where: { isPublic: true, status: 'IN_PROGRESS' },
    orderBy: { id: 'desc' },
    take: listed,
  })
  if (!before) return { state, changes: [] }
  const old = new Map(before.map((match) => [match.id, match]))
  const now = new Set(state.map(({ id }) => id))
  const gone = before.filter(({ id }) => !now.has(id)).map(({ id }) => id)
  const ended = gone.length
    ? await db.arenaMatch.findMany({
        where: { id: { in: gone }, endedAt: { not: null } },
        orderBy: { id: 'desc' },
      })
    : []
  const changes: LiveChange[] = [
    { kind: 'STARTED', matches: state.filter(({ id }) => !old.has(id)) },
    {
      kind: 'CHANGED',
      matches: state.filter(({ id, totalGamesPlayed }) => {
        const match = old.get(id)
        return match && match.totalGamesPlayed !== totalGamesPlayed
      }),
    },
    { kind: 'ENDED', matches: ended },
  ]
  return { state, changes: changes.filter(({ matches }) => matches.length > 0) }
}

/** The number of ranks in the leaderboard stream. */
const places = 10

const pollAgents = async ({ tx }: Runtime, before: RankedAgent[] | undefined) => {
  const state = await listTopAgents({ tx }, places)
  const gist = (agents: RankedAgent[] | undefined) =>
    JSON.stringify(
      agents?.map(({ agent: { id, eloRating, totalMatches } }) => [id, eloRating, totalMatches]),
    )
  return { state, changes: before && gist(before) !== gist(state) ? [state] : [] }
}

type Lists = { matches: Broadcast<LiveChange>; agents: Broadcast<RankedAgent[]> }

const listsOf = singleton('live lists', (runtime: Runtime): Lists => {
  const { pubsub, log } = runtime
  const onError = (err: unknown) => log.warn({ err }, 'a live list could not be read')
  return {
    matches: observe(
      pubsub,
      {
        topic: 'match',
        look: (before: ArenaMatch[] | undefined) => pollMatches(runtime, before),
        snapshot: (matches): LiveChange => ({ kind: 'SNAPSHOT', matches }),
      },
      onError,
    ),
    agents: observe(
      pubsub,
      {
        topic: 'match',
        look: (before: RankedAgent[] | undefined) => pollAgents(runtime, before),
        snapshot: (agents) => agents,
      },
      onError,
    ),
  }
})

export const liveMatches = (runtime: Runtime): SharedStream<LiveChange> =>
  new SharedStream(listsOf(runtime).matches)

export const rankedAgents = (runtime: Runtime): SharedStream<RankedAgent[]> =>
  new SharedStream(listsOf(runtime).agents)
