/** Who takes a seat: a user, or an agent if the session is free. */
import { z } from 'zod'
import type { ArenaAgent, EndUser } from '../../generated/prisma/client.ts'
import type { Caller } from '../../kit/access/context.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import type { Runtime, Transaction } from '../../kit/runtime.ts'
import { type Tenant, tenantOf } from '../../kit/tenant.ts'
import type { ExternalId } from '../../kit/user-id.ts'
import { externalIdOf, lockUsers, UserBy } from '../../users/end-user.ts'
import { findOwnAgents } from '../agents/agent-read.ts'
import { id } from '../arena-input.ts'
import { liveTenant } from '../live-only.ts'
import { standingOf } from './session.rules.ts'
import type { SessionWithPlayers } from './session.ts'

/** Names a user or an agent. */
export const UserOrAgentBy = z
  .object(
    {
      user: UserBy.nullish().describe('A user, who must exist.'),
      arenaAgentId: id('ArenaAgent')
        .nullish()
        .describe(
          "One of the partner's own agents, instead of a user. Only for free sessions of games that support agents.",
        ),
    },
    { error: (issue) => (issue.input == null ? 'is required' : 'must be an object') },
  )
  .superRefine(({ user, arenaAgentId }, ctx) => {
    const refuse = (field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message })
    if (user != null && arenaAgentId != null)
      refuse('arenaAgentId', 'must be omitted when a user is named')
    if (user == null && arenaAgentId == null) refuse('user', 'is required')
  })
  .meta({ graphql: 'UserOrAgentBy', isOneOf: true })
  .describe('A user or an agent.')

type UserOrAgentBy = z.output<typeof UserOrAgentBy>

/** A user, by the partner's id, or an agent. */
export type NamedCandidate = Tenant & {
  externalId?: ExternalId | null | undefined
  agentId?: string | null | undefined
}

/**
 * Replaces the player of a call with the partner's id of the user, or the id of the agent.
 * @throws TesseraError USER_NOT_FOUND for an unknown id
 */
export const withCandidate = async <I extends { player?: UserOrAgentBy | null | undefined }>(
  runtime: Pick<Runtime, 'read'>,
  caller: Caller,
  { player, ...input }: I,
) => ({
  ...input,
  ...liveTenant(caller),
  externalId: player?.user && (await externalIdOf(runtime, caller, player.user)),
  agentId: player?.arenaAgentId,
})

/** The users among those named. */
const userKeys = (seats: NamedCandidate[]) =>
  seats.flatMap(({ externalId, ...seat }) =>
    externalId == null ? [] : [{ ...tenantOf(seat), externalId }],
  )

/** Who takes a seat. An agent has no wallet, so it can only join free sessions. */
export type Candidate = { user: EndUser; agent: null } | { user: null; agent: ArenaAgent }

/** Finds the user or agent for each seat, in two statements, and locks the users. */
export const lockCandidates = async (
  work: Transaction,
  seats: NamedCandidate[],
): Promise<(Candidate | TesseraError)[]> => {
  const users = (await lockUsers(work, userKeys(seats))).values()
  const keys = seats.flatMap(({ agentId, ...seat }) =>
    agentId == null ? [] : [{ ...tenantOf(seat), agentId }],
  )
  const agents = (await findOwnAgents(work, keys)).values()
  return seats.map(({ agentId }) => {
    if (agentId == null) {
      const user = users.next().value
      return user ? { user, agent: null } : new TesseraError('USER_NOT_FOUND')
    }
    const agent = agents.next().value
    return agent ? { user: null, agent } : new TesseraError('AGENT_NOT_FOUND')
  })
}

/** The seat of a user or an agent in a session. */
export const seatOf = ({ players }: SessionWithPlayers, { user, agent }: Candidate) =>
  players.find((player) => (user ? player.userId === user.id : player.agentId === agent.id))

/** Why an agent cannot play in a session, or null. */
export const agentFault = (
  { supportsAgents }: SessionWithPlayers,
  agent: ArenaAgent,
): TesseraError | null => {
  if (!supportsAgents)
    return refused('player.arenaAgentId', 'cannot play: the game does not support agents')
  const { status } = agent
  if (status === 'ACTIVE') return null
  return new TesseraError('AGENT_STATUS_CONFLICT', { status, since: null })
}

/** Why nobody can take a seat in a session now, or null. */
export const seatFault = (session: SessionWithPlayers, now: Date): TesseraError | null => {
  const { status, currentPlayers: current, maxPlayers: limit } = session
  if (current >= limit && status === 'IN_PROGRESS')
    return new TesseraError('SESSION_FULL', { limit, current })
  return status === 'WAITING' && session.expiresAt > now
    ? null
    : new TesseraError('SESSION_NOT_OPEN', standingOf(session, now))
}
