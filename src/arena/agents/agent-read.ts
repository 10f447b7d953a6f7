/** Reads agents. */

import type { ArenaAgent, Partner, Prisma } from '../../generated/prisma/client.ts'
import type { Config } from '../../kit/config/config.ts'
import { TesseraError } from '../../kit/errors.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Work } from '../../kit/runtime.ts'
import type { Part } from '../../kit/schema/connection.ts'
import type { Range } from '../../kit/schema/numbered.ts'
import { type Tenant, tenantOf } from '../../kit/tenant.ts'
import type { UserId } from '../../kit/user-id.ts'
import { isUuid } from '../../kit/validation.ts'
import { selectRatingTrends, selectSupporters } from './agent.sql.ts'

/** Agents shown in lists and ranked. Excludes agents of closed partners. */
export const listedAgents = {
  isPublic: true,
  status: { in: ['ACTIVE', 'PAUSED'] },
  partner: { closedAt: null },
} as const satisfies Prisma.ArenaAgentWhereInput

/** Agents with a public page. A retired agent stays, because others have played against it. */
export const visibleAgents = {
  isPublic: true,
  validatedAt: { not: null },
  partner: { closedAt: null },
} as const satisfies Prisma.ArenaAgentWhereInput

/** An agent with the fields that decide whether its page is public. */
export type Contender = ArenaAgent & { partner: Pick<Partner, 'closedAt'> }

/** Whether everybody may see the page of an agent. */
export const isVisible = ({ isPublic, validatedAt, partner }: Contender): boolean =>
  isPublic && validatedAt !== null && partner.closedAt === null

/** The picture of an agent: the one its owner set, or the mosaic derived from its id. */
export const pictureUrlOf = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { id, avatarUrl }: Pick<ArenaAgent, 'id' | 'avatarUrl'>,
): string => avatarUrl ?? `${publicUrl}/arena/agents/${id}/avatar.svg`

/** Reads agents by id without an access check, for matches, which show a summary of both sides. */
export const readAgents = async ({ tx }: Work, ids: string[]): Promise<Contender[]> => {
  const rows = await tx.arenaAgent.findMany({
    where: { id: { in: [...new Set(ids)] } },
    include: { partner: { select: { closedAt: true } } },
  })
  return inOrder(ids, rows) as Contender[]
}

/** @throws TesseraError AGENT_NOT_FOUND, for an agent of another partner too */
export const getOwnAgent = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  agentId: string,
): Promise<ArenaAgent> => {
  const agent = isUuid(agentId)
    ? await tx.arenaAgent.findFirst({ where: { id: agentId, ...tenantOf(tenant) } })
    : null
  if (!agent) throw new TesseraError('AGENT_NOT_FOUND')
  return agent
}

const nameOfAgent = ({ partnerId, environment }: Tenant, id: string) =>
  `${partnerId} ${environment} ${id}`

/** Agents of callers, in the order of the keys; null for an unknown agent or one of another partner. */
export const findOwnAgents = async (
  { tx }: Pick<Work, 'tx'>,
  keys: (Tenant & { agentId: string })[],
): Promise<(ArenaAgent | null)[]> => {
  if (keys.length === 0) return []
  const agents = await tx.arenaAgent.findMany({
    where: { id: { in: [...new Set(keys.map(({ agentId }) => agentId))] } },
  })
  return inOrder(
    keys,
    agents,
    (agent) => nameOfAgent(agent, agent.id),
    (key) => nameOfAgent(key, key.agentId),
  )
}

/** Names of partners, by id. */
export const readPartnerNames = async ({ tx }: Work, ids: string[]): Promise<string[]> => {
  const rows = await tx.partner.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  })
  return inOrder(ids, rows).map((partner) => partner?.name ?? '')
}

export type RankedAgent = { rank: number; agent: ArenaAgent }

/** The order of ranked agents. */
export const byRating = [
  ['eloRating', 'desc'],
  ['id', 'asc'],
] as const

/** The strongest agents. */
export const listTopAgents = async (
  { tx }: Pick<Work, 'tx'>,
  take: number,
): Promise<RankedAgent[]> => {
  const agents = await tx.arenaAgent.findMany({
    where: listedAgents,
    orderBy: byRating.map(([field, direction]) => ({ [field]: direction })),
    take,
  })
  return agents.map((agent, i) => ({ rank: i + 1, agent }))
}

export type Supporter = { name: string; amount: bigint; userId: UserId; lastAt: Date }

type SupporterPart = Part & { agentId: string }

/**
 * Pages of the supporters of agents, largest amount first, with one statement per direction. A supporter is shown by
 * display name, never by the partner's id of the user.
 */
export const listSupporters = async (
  { tx }: Pick<Work, 'tx'>,
  parts: SupporterPart[],
): Promise<Supporter[][]> => {
  const found: Supporter[][] = parts.map(() => [])
  for (const isUp of [false, true]) {
    const requested = parts.flatMap(({ agentId, take, skip, backward, from }, place) =>
      backward === isUp
        ? {
            place,
            agentId,
            take,
            skip,
            amount: from && Number(from[0]),
            userId: from && (String(from[1]) as UserId),
          }
        : [],
    )
    if (requested.length === 0) continue
    for (const { n, ...supporter } of await selectSupporters(tx, requested, isUp))
      found[requested[n]?.place ?? 0]?.push(supporter)
  }
  return found
}

export type RatingChange = {
  number: number
  matchId: string
  eloBefore: number
  eloAfter: number
  glickoRating: number
  ratingDeviation: number
  ratedAt: Date
}

/** Reads ranges of the ratings of many agents in one statement. */
export const findRatings = async (
  { tx }: Work,
  ranges: (Range & { agentId: string })[],
): Promise<RatingChange[][]> => {
  const ratings = await tx.arenaRating.findMany({
    where: {
      OR: ranges.map(({ agentId, from, to }) => ({ agentId, number: { gte: from, lte: to } })),
    },
  })
  const byAgent = Map.groupBy(ratings, ({ agentId }) => agentId)
  return ranges.map(({ agentId, from, to }) =>
    (byAgent.get(agentId) ?? []).filter(({ number }) => number >= from && number <= to),
  )
}

/** The number of matches in a trend. */
const trendMatches = 24

/** Elo ratings of agents before and after each of their newest ranked matches, oldest first. */
export const readRatingTrends = async ({ tx }: Work, agentIds: string[]): Promise<number[][]> => {
  const rows = await selectRatingTrends(tx, agentIds, trendMatches)
  return inOrder(agentIds, rows).map((row) => row?.trend ?? [])
}
