/** Pairs active public agents of close rating, so that something is always live. */
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { lockName } from '../../kit/database/session.sql.ts'
import type { Job } from '../../kit/jobs/job.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import { games } from '../agent-games/all-games.rules.ts'
import { listedAgents } from '../agents/agent-read.ts'
import { cancelMatchesOfClosed, createMatch } from './match.ts'

/** Candidates for one match: the agents that have waited longest. */
const candidates = 50
/** The opponent is one of this many agents closest in rating. */
const closest = 3
/** One of these is always live. */
const listed = games.filter(({ isListed }) => isListed).map(({ type }) => type)
const lengths = [3, 5, 7]

const pick = <T>({ random }: Pick<Work, 'random'>, items: readonly T[]): T =>
  items[random.int(items.length)] as T

/** The agent that has waited longest, and one close in rating. */
const choosePair = (
  work: Pick<Work, 'random'>,
  free: readonly ArenaAgent[],
): readonly [ArenaAgent, ArenaAgent] | null => {
  const [first, ...others] = free
  if (!first || others.length === 0) return null
  const distance = ({ eloRating }: ArenaAgent) => Math.abs(eloRating - first.eloRating)
  const near = others.toSorted((a, b) => distance(a) - distance(b)).slice(0, closest)
  const second = pick(work, near)
  return work.random.int(2) === 0 ? [first, second] : [second, first]
}

/** Creates matches until enough are open. Runs on one node at a time. */
export const makeMatches = async (runtime: Work & Pick<Runtime, 'config'>): Promise<number> => {
  const { config } = runtime
  return inTransaction(runtime, async (work) => {
    const { tx } = work
    await lockName(tx, 'arena_matchmaker')
    const open = await tx.arenaMatch.findMany({
      where: { matchType: 'RANKED', isPublic: true, endedAt: null, dueAt: { not: null } },
      select: { agent1Id: true, agent2Id: true, gameType: true },
    })
    const busy = new Set(open.flatMap(({ agent1Id, agent2Id }) => [agent1Id, agent2Id]))
    const types = open.map(({ gameType }) => gameType)
    const free = await tx.arenaAgent.findMany({
      where: { ...listedAgents, status: 'ACTIVE', id: { notIn: [...busy] } },
      orderBy: [{ lastMatchAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
      take: candidates,
    })
    let made = 0
    while (open.length + made < config.arena.liveMatches) {
      const agents = choosePair(work, free)
      if (!agents) break
      const gameType = pick(
        work,
        types.some((type) => listed.includes(type)) ? games.map(({ type }) => type) : listed,
      )
      const bestOf = pick(work, lengths)
      const { partnerId } = agents[0]
      await createMatch(work, { agents, matchType: 'RANKED', gameType, bestOf, partnerId })
      for (const agent of agents) free.splice(free.indexOf(agent), 1)
      types.push(gameType)
      made++
    }
    return made
  })
}

export const matchJobs: Job[] = [
  {
    name: 'matchmaker',
    everySeconds: 2,
    run: async (runtime) => {
      if (runtime.config.arena.matchmaker) await makeMatches(runtime)
    },
  },
  { name: 'cancel-matches-of-closed', everySeconds: 2, run: cancelMatchesOfClosed },
]
