/** Schedules and cancels matches. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaAgent, ArenaMatch } from '../../generated/prisma/client.ts'
import { addToChanges } from '../../kit/access/audit-entry.sql.ts'
import { inTransaction, type Tx } from '../../kit/database/db.ts'
import { lockName, notifyNodes } from '../../kit/database/session.sql.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { integer, isUuid, moment, oneOf } from '../../kit/validation.ts'
import { games } from '../agent-games/all-games.rules.ts'
import { visibleAgents } from '../agents/agent-read.ts'
import { id } from '../arena-input.ts'
import { endReasonTexts } from './end-reason.rules.ts'
import { writeMatchEvents } from './event.ts'
import { matchCancelled } from './match.events.ts'
import { selectMatchesOfClosed, selectMatchForUpdate } from './match.sql.ts'
import { bestOfs, ownMatches } from './read.ts'
import { announce, matchSummary } from './write.ts'

const gameTypes = Object.fromEntries(games.map(({ type }) => [type, type]))

/** How far ahead a match can be scheduled. */
const aheadMs = 30 * 24 * 3600 * 1000

export const ScheduleArenaMatch = z
  .object({
    agent1Id: id('ArenaAgent').describe("The first agent, which must be one of the caller's own."),
    agent2Id: id('ArenaAgent').describe(
      "The second agent: a public agent, or one of the caller's own.",
    ),
    gameType: oneOf('ArenaAgentGameType', gameTypes).describe('Which game is played.'),
    bestOf: integer(1, 7)
      .refine((n) => (bestOfs as readonly number[]).includes(n), 'must be 1, 3, 5 or 7')
      .describe('1, 3, 5 or 7.'),
    matchType: oneOf('ArenaScheduledMatchType', { RANKED: 'RANKED', FRIENDLY: 'FRIENDLY' })
      .nullish()
      .describe('Whether it changes ratings. Defaults to FRIENDLY.'),
    scheduledAt: moment()
      .nullish()
      .describe('When it begins, at most 30 days from now. Defaults to now.'),
  })
  .describe('A match to schedule.')

type NewMatch = {
  agents: readonly [ArenaAgent, ArenaAgent]
  matchType: ArenaMatch['matchType']
  gameType: string
  bestOf: number
  /** The partner who schedules it. */
  partnerId: string
  scheduledAt?: Date | null | undefined
}

/** Creates a match. The caller has checked that it is allowed. */
export const createMatch = async (work: Work, input: NewMatch): Promise<ArenaMatch> => {
  const now = work.clock()
  const { agents, matchType, gameType, bestOf, partnerId } = input
  const [agent1, agent2] = agents
  const scheduledAt = input.scheduledAt ?? now
  return inTransaction(work, async (txWork) => {
    const match = await txWork.tx.arenaMatch.create({
      data: {
        id: uuid(),
        partnerId,
        environment: 'LIVE',
        matchType,
        gameType,
        bestOf,
        isPublic: matchType !== 'VALIDATION' && agent1.isPublic && agent2.isPublic,
        agent1Id: agent1.id,
        agent2Id: agent2.id,
        partner1Id: agent1.partnerId,
        partner2Id: agent2.partnerId,
        seq: 1,
        scheduledAt,
        dueAt: scheduledAt,
        createdAt: now,
      },
    })
    await writeMatchEvents(txWork, match.id, 0, [{ kind: 'MATCH_SCHEDULED', data: {} }])
    await notifyNodes(txWork.tx, 'match-due')
    return match
  })
}

/** The limits of open matches that a partner has scheduled: in total, and against one agent of another partner. */
const maxOpen = 50
const maxOpenAgainst = 10

/**
 * Checks the limits. Locks the partner, so that concurrent calls for one partner wait for each other.
 * @throws TesseraError MATCH_LIMIT_REACHED
 */
const checkOpenMatches = async (tx: Tx, partnerId: string, other: ArenaAgent) => {
  await lockName(tx, `arena_match ${partnerId}`)
  const open = await tx.arenaMatch.findMany({
    where: { partnerId, dueAt: { not: null } },
    select: { agent2Id: true },
    take: maxOpen,
  })
  const against = open.filter(({ agent2Id }) => agent2Id === other.id).length
  const isForeign = other.partnerId !== partnerId
  if (open.length >= maxOpen)
    throw new TesseraError('MATCH_LIMIT_REACHED', { limit: maxOpen, current: open.length })
  if (isForeign && against >= maxOpenAgainst)
    throw new TesseraError('MATCH_LIMIT_REACHED', { limit: maxOpenAgainst, current: against })
}

/**
 * Schedules a match of the caller's agent. Only the matchmaker creates ranked matches between agents of one
 * partner; otherwise a partner could trade ratings with itself.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_NOT_READY, RANKED_NEEDS_PARTNERS, MATCH_LIMIT_REACHED,
 *   VALIDATION_FAILED
 */
export const scheduleMatch = async (
  work: Work,
  caller: Tenant,
  input: z.output<typeof ScheduleArenaMatch>,
): Promise<ArenaMatch> => {
  const { agent1Id, agent2Id, gameType, bestOf, matchType, scheduledAt } = input
  if (agent1Id === agent2Id) throw refused('agent2Id', 'must be another agent')
  if (scheduledAt && scheduledAt.getTime() > work.clock().getTime() + aheadMs)
    throw refused('scheduledAt', 'must be at most 30 days ahead')
  const own = { partnerId: caller.partnerId, environment: caller.environment }
  const [agent1, agent2] = await Promise.all([
    work.tx.arenaAgent.findFirst({ where: { id: agent1Id, ...own } }),
    work.tx.arenaAgent.findFirst({ where: { id: agent2Id, OR: [own, visibleAgents] } }),
  ])
  if (!agent1) throw new TesseraError('AGENT_NOT_FOUND', { path: 'agent1Id' })
  if (!agent2) throw new TesseraError('AGENT_NOT_FOUND', { path: 'agent2Id' })
  const idle = [agent1, agent2].find(({ status }) => status !== 'ACTIVE')
  if (idle)
    throw new TesseraError('AGENT_NOT_READY', {
      status: idle.status,
      since: null,
      path: idle === agent1 ? 'agent1Id' : 'agent2Id',
    })
  if (matchType === 'RANKED' && agent1.partnerId === agent2.partnerId)
    throw new TesseraError('RANKED_NEEDS_PARTNERS')
  const now = work.clock()
  return inTransaction(work, async (txWork) => {
    await checkOpenMatches(txWork.tx, caller.partnerId, agent2)
    const match = await createMatch(txWork, {
      agents: [agent1, agent2],
      matchType: matchType ?? 'FRIENDLY',
      gameType,
      bestOf,
      partnerId: caller.partnerId,
      scheduledAt: scheduledAt && scheduledAt > now ? scheduledAt : now,
    })
    const made = { agent1_id: agent1Id, agent2_id: agent2Id, game_type: gameType, best_of: bestOf }
    await addToChanges(
      txWork.tx,
      Object.entries(made).map(([field, to]) => ({
        table: 'arena_match',
        id: match.id,
        field,
        from: null,
        to,
      })),
    )
    return match
  })
}

/**
 * Cancels a match, whichever node plays it; null if it has ended.
 * @param reason shown to spectators
 */
export const closeMatch = (
  work: Work,
  matchId: string,
  reason: string,
): Promise<ArenaMatch | null> =>
  inTransaction(work, async (txWork) => {
    const { tx } = txWork
    await selectMatchForUpdate(tx, matchId)
    const match = await tx.arenaMatch.findUnique({ where: { id: matchId } })
    if (!match || match.endedAt) return null
    const now = work.clock()
    const closed = await tx.arenaMatch.update({
      where: { id: matchId },
      data: {
        status: 'CANCELLED',
        endReason: reason,
        endedAt: now,
        seq: match.seq + 1,
        dueAt: null,
        nextGameAt: null,
        leaseToken: null,
        leaseUntil: null,
      },
    })
    const change = { table: 'arena_match', id: matchId, field: 'status' }
    await addToChanges(tx, [{ ...change, from: match.status, to: closed.status }])
    await writeMatchEvents(txWork, matchId, match.seq, [
      { kind: 'MATCH_CANCELLED', data: { reason } },
    ])
    const agents = await tx.arenaAgent.findMany({
      where: { id: { in: [match.agent1Id, match.agent2Id] } },
    })
    if (match.matchType === 'VALIDATION')
      await tx.arenaAgent.updateMany({
        where: { id: match.agent1Id, status: 'DRAFT', validationMatchId: match.id },
        data: { validationError: 'CANCELLED', updatedAt: now },
      })
    await announce(txWork, match, matchCancelled, {
      ...matchSummary(closed, agents),
      reason,
      endedAt: now.toISOString(),
    })
    return closed
  })

/** Cancels open matches with agents of closed partners. */
export const cancelMatchesOfClosed = async (runtime: Runtime): Promise<void> => {
  const open = await selectMatchesOfClosed(runtime.db)
  for (const { id } of open) await closeMatch(runtime, id, endReasonTexts.PARTNER_CLOSED)
}

/**
 * Cancels a match of the caller's own agents. Operators can cancel any match.
 * @throws TesseraError MATCH_NOT_FOUND, MATCH_ENDED
 */
export const cancelMatch = async (
  work: Work,
  caller: Tenant & { isOperator: boolean },
  matchId: string,
): Promise<ArenaMatch> => {
  const match = isUuid(matchId)
    ? await work.tx.arenaMatch.findFirst({
        where: { id: matchId, ...(!caller.isOperator && ownMatches(caller)) },
      })
    : null
  if (!match) throw new TesseraError('MATCH_NOT_FOUND')
  const isForeign = caller.isOperator && match.partnerId !== caller.partnerId
  const reason = isForeign ? 'CANCELLED_BY_OPERATOR' : 'CANCELLED_BY_OWNER'
  const closed = await closeMatch(work, matchId, endReasonTexts[reason])
  if (closed) return closed
  const { status, endedAt } = await work.tx.arenaMatch.findUniqueOrThrow({ where: { id: matchId } })
  throw new TesseraError('MATCH_ENDED', { status, since: endedAt })
}
