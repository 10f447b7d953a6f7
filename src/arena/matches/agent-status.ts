/** Changes of the status of an agent. */

import type { ArenaAgent, ArenaMatch } from '../../generated/prisma/client.ts'
import type { ArenaAgentStatus } from '../../generated/prisma/enums.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Work } from '../../kit/runtime.ts'
import { isUuid } from '../../kit/validation.ts'
import {
  type AgentChange,
  type AgentKey,
  type AgentStore,
  changeAgent,
  lockAgent,
} from '../agents/agent.ts'
import { getOwnAgent } from '../agents/agent-read.ts'
import { requireLive } from '../live-only.ts'
import { endReasonTexts } from './end-reason.rules.ts'
import { selectMatchForUpdate } from './match.sql.ts'
import { closeMatch, createMatch } from './match.ts'

/** The agent, and its validation match if it needs one. */
type Activation = { agent: ArenaAgent; validationMatch: ArenaMatch | null }

const statusConflict = ({ status }: ArenaAgent) =>
  new TesseraError('AGENT_STATUS_CONFLICT', { status, since: null })

/** Changes the status if it is one of the given ones. @throws TesseraError AGENT_STATUS_CONFLICT */
const move = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  agentId: string,
  from: ArenaAgentStatus[],
  to: ArenaAgentStatus,
): Promise<ArenaAgent> => {
  const { count } = await tx.arenaAgent.updateMany({
    where: { id: agentId, status: { in: from } },
    data: { status: to, updatedAt: clock() },
  })
  const agent = await tx.arenaAgent.findUniqueOrThrow({ where: { id: agentId } })
  if (count === 0) throw statusConflict(agent)
  return agent
}

/**
 * Changes an agent. Changing the model, address or key makes it a DRAFT, which must be validated again, and ends a
 * validation in progress. Its other matches continue.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT, VALIDATION_FAILED
 */
export const updateAgent = (store: AgentStore, change: AgentChange): Promise<ArenaAgent> =>
  inTransaction(store, async (txWork) => {
    const { validationMatchId } = await getOwnAgent(txWork, change, change.agentId)
    // Ending a match locks the match before its agents.
    if (validationMatchId) await selectMatchForUpdate(txWork.tx, validationMatchId)
    const { agent, droppedMatchId } = await changeAgent(txWork, change)
    if (droppedMatchId) await closeMatch(txWork, droppedMatchId, endReasonTexts.AGENT_CHANGED)
    return agent
  })

/**
 * Activates an agent. A paused agent is active at once. Any other plays a validation match against itself and becomes
 * ACTIVE, or stays a DRAFT with the reason. An agent has one validation match at a time.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT
 */
export const activateAgent = async (work: Work, key: AgentKey): Promise<Activation> => {
  requireLive(key)
  return inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const agent = await lockAgent(txWork, key)
    const { id } = agent
    if (agent.status === 'ACTIVE') return { agent, validationMatch: null }
    if (agent.status === 'PAUSED')
      return { agent: await move(txWork, id, ['PAUSED'], 'ACTIVE'), validationMatch: null }
    if (agent.status !== 'DRAFT') throw statusConflict(agent)
    const open =
      agent.validationMatchId &&
      (await tx.arenaMatch.findFirst({ where: { id: agent.validationMatchId, endedAt: null } }))
    if (open) return { agent, validationMatch: open }
    const validationMatch = await createMatch(txWork, {
      agents: [agent, agent],
      matchType: 'VALIDATION',
      gameType: 'TIC_TAC_TOE',
      bestOf: 1,
      partnerId: agent.partnerId,
    })
    const validating = await tx.arenaAgent.update({
      where: { id },
      data: { validationError: null, validationMatchId: validationMatch.id },
    })
    return { agent: validating, validationMatch }
  })
}

/**
 * Pauses an active agent. A match in progress continues.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT
 */
export const pauseAgent = async (work: Work, key: AgentKey): Promise<ArenaAgent> => {
  requireLive(key)
  const agent = await getOwnAgent(work, key, key.agentId)
  return agent.status === 'PAUSED' ? agent : move(work, agent.id, ['ACTIVE'], 'PAUSED')
}

const closeMatchesOf = async (work: Work, agentId: string, reason: string) => {
  const open = await work.tx.arenaMatch.findMany({
    where: { endedAt: null, OR: [{ agent1Id: agentId }, { agent2Id: agentId }] },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  for (const { id } of open) await closeMatch(work, id, reason)
}

/** Cancels the matches of an agent and changes its status. Ending a match locks the match before its agents. */
const takeOut = async (
  work: Work,
  agentId: string,
  { from, to, reason }: { from: ArenaAgentStatus[]; to: ArenaAgentStatus; reason: string },
): Promise<ArenaAgent> => {
  await closeMatchesOf(work, agentId, reason)
  const moved = await move(work, agentId, from, to)
  // Also close matches that were scheduled in the meantime.
  await closeMatchesOf(work, agentId, reason)
  return moved
}

/**
 * Retires an agent permanently and cancels its matches. Its history stays.
 * @throws TesseraError AGENT_NOT_FOUND
 */
export const retireAgent = async (work: Work, key: AgentKey): Promise<ArenaAgent> => {
  requireLive(key)
  const agent = await getOwnAgent(work, key, key.agentId)
  if (agent.status === 'RETIRED') return agent
  return takeOut(work, agent.id, {
    from: ['DRAFT', 'ACTIVE', 'PAUSED', 'SUSPENDED'],
    to: 'RETIRED',
    reason: endReasonTexts.AGENT_RETIRED,
  })
}

/** @throws TesseraError AGENT_NOT_FOUND */
const getAgent = async ({ tx }: Work, agentId: string): Promise<ArenaAgent> => {
  const agent = isUuid(agentId) ? await tx.arenaAgent.findUnique({ where: { id: agentId } }) : null
  if (!agent) throw new TesseraError('AGENT_NOT_FOUND')
  return agent
}

/**
 * Ends the suspension of an agent. It becomes a draft that its owner can activate. For operators.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT
 */
export const reinstateAgent = async (work: Work, agentId: string): Promise<ArenaAgent> => {
  const { id } = await getAgent(work, agentId)
  return move(work, id, ['SUSPENDED'], 'DRAFT')
}

/**
 * Suspends an agent and cancels its matches. For operators.
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT
 */
export const suspendAgent = async (work: Work, agentId: string): Promise<ArenaAgent> => {
  const agent = await getAgent(work, agentId)
  if (agent.status === 'SUSPENDED') return agent
  return takeOut(work, agent.id, {
    from: ['DRAFT', 'ACTIVE', 'PAUSED'],
    to: 'SUSPENDED',
    reason: endReasonTexts.AGENT_SUSPENDED,
  })
}
