/** Users give points to agents they like. */
import { z } from 'zod'
import type { ArenaAgent, EndUser } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Transaction, Work } from '../../kit/runtime.ts'
import { type Tenant, tenantOf } from '../../kit/tenant.ts'
import { integer, maxPoints } from '../../kit/validation.ts'
import { creditAccounts, type Moved, movePoints } from '../../points/wallet.ts'
import { UserBy, type UserKey } from '../../users/end-user.ts'
import { id } from '../arena-input.ts'
import { addGifts, selectAgentsForUpdate } from './agent.sql.ts'
import { listedAgents } from './agent-read.ts'

export const SupportArenaAgent = z
  .object({
    arenaAgentId: id('ArenaAgent').describe('The agent, by its global id or its UUID.'),
    user: UserBy,
    points: integer(1, maxPoints).describe('Points to give.'),
  })
  .describe('Points that a user gives to an agent.')

type Support = UserKey & { agentId: string; points: number }

/** The user and the agent right after the gift. */
type Supported = { arenaAgent: ArenaAgent; user: EndUser; points: number }

/**
 * Moves points from wallets to agents, in the order of the list, in a constant number of statements.
 * The result of a refused gift is AGENT_NOT_FOUND, USER_NOT_FOUND, USER_BLOCKED or INSUFFICIENT_POINTS.
 */
export const supportAgents = (work: Work, supports: Support[]): Promise<(Supported | Error)[]> =>
  inTransaction(work, (txWork) => supportIn(txWork, supports))

/** The totals of an agent after the whole list, and its first-time supporters. */
type Total = { id: string; received: bigint; supporters: number; newcomers: string[] }

/** The totals of an agent as the list is processed: each gift's result has the totals right after it. */
type RunningTotal = { received: number; supporters: number; newcomers: Set<string> }

const beforeAll = (
  { id, received, supporters, newcomers }: Total,
  given: { agentId: string; amount: number }[],
): RunningTotal => {
  const ofList = given.filter(({ agentId }) => agentId === id)
  return {
    received: Number(received) - ofList.reduce((sum, { amount }) => sum + amount, 0),
    supporters: supporters - newcomers.length,
    newcomers: new Set(newcomers),
  }
}

type Given = Tenant & { agentId: string; userId: EndUser['id']; amount: number; ledgerId: string }

/** Adds gifts to the totals of their agents and to the accounts of the agents. */
const credit = async (
  work: Transaction,
  agents: ArenaAgent[],
  given: Given[],
): Promise<Map<string, RunningTotal>> => {
  if (given.length === 0) return new Map()
  // Locks the agents: concurrent gifts to the same agent wait here.
  await selectAgentsForUpdate(
    work.tx,
    agents.map(({ id }) => id),
  )
  const rows = await addGifts(work.tx, given, work.clock())
  const ownerOf = new Map(agents.map((agent) => [agent.id, tenantOf(agent)]))
  await creditAccounts(
    work,
    given.map(({ agentId, amount, ledgerId }) => ({
      ...(ownerOf.get(agentId) as Tenant),
      holder: `agent:${agentId}`,
      points: amount,
      eventType: 'agent_support',
      account: `agent:${agentId}`,
      sourceId: ledgerId,
    })),
  )
  return new Map(rows.map((row) => [row.id, beforeAll(row, given)]))
}

const supportIn = async (
  work: Transaction,
  supports: Support[],
): Promise<(Supported | Error)[]> => {
  const agents = await work.tx.arenaAgent.findMany({
    where: { id: { in: [...new Set(supports.map(({ agentId }) => agentId))] }, ...listedAgents },
  })
  const known = new Set(agents.map(({ id }) => id))
  const wanted = supports.filter(({ agentId }) => known.has(agentId))
  const moved = await movePoints(
    work,
    wanted.map(({ partnerId, environment, externalId, agentId, points }) => ({
      partnerId,
      environment,
      externalId,
      points: -points,
      eventType: 'agent_support',
      account: `agent:${agentId}`,
      sourceId: agentId,
    })),
  )
  const results = new Map<Support, Moved | TesseraError>()
  for (const [i, support] of wanted.entries())
    results.set(support, moved[i] as Moved | TesseraError)
  const given = wanted.flatMap((support) => {
    const result = results.get(support)
    return !result || result instanceof Error
      ? []
      : {
          agentId: support.agentId,
          userId: result.user.id,
          ...tenantOf(support),
          amount: support.points,
          ledgerId: result.ledgerId,
        }
  })
  const totals = await credit(work, agents, given)
  return supports.map((support) => {
    const result = results.get(support)
    if (!result) return new TesseraError('AGENT_NOT_FOUND')
    if (result instanceof Error) return result
    const total = totals.get(support.agentId) as RunningTotal
    total.received += support.points
    if (total.newcomers.delete(result.user.id)) total.supporters += 1
    return {
      arenaAgent: {
        ...(agents.find(({ id }) => id === support.agentId) as ArenaAgent),
        totalSupportReceived: BigInt(total.received),
        totalSupporters: total.supporters,
      },
      user: { ...result.user, balance: BigInt(result.userBalance), entries: result.entries },
      points: support.points,
    }
  })
}
