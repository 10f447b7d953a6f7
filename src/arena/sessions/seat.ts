/** Players take and leave their seats; a paid seat moves the entry fee. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaPlayer, EndUser } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Transaction, Work } from '../../kit/runtime.ts'
import { tenantOf } from '../../kit/tenant.ts'
import type { UserId } from '../../kit/user-id.ts'
import { postMovements, userAfter } from '../../points/wallet.ts'
import { isBlocked, userBlocked } from '../../users/block.rules.ts'
import { id } from '../arena-input.ts'
import { flowsOf } from '../developer-games/flow.rules.ts'
import {
  agentFault,
  type Candidate,
  lockCandidates,
  type NamedCandidate,
  seatFault,
  seatOf,
  UserOrAgentBy,
} from './candidate.ts'
import { lockFlowBook, lockFlowsOf, releaseFlows, reserveFlows, saveFlows } from './flow.ts'
import { standingOf } from './session.rules.ts'
import {
  accountOf,
  begin,
  lockPlayers,
  lockSessions,
  type SessionPoints,
  type SessionWithPlayers,
  saveSessions,
  sessionChangesOf,
  trackSessionPoints,
} from './session.ts'

const arenaSessionId = {
  arenaSessionId: id('ArenaSession').describe('The session, by its global id or its UUID.'),
}

export const JoinArenaSession = z
  .object({
    ...arenaSessionId,
    player: UserOrAgentBy.describe('The user or the agent who takes a seat.'),
  })
  .describe('A session to join, and the user or agent who joins.')
export const LeaveArenaSession = z
  .object({
    ...arenaSessionId,
    player: UserOrAgentBy.describe('The user or the agent who gives up the seat.'),
  })
  .describe('A session to leave, and the user or agent who leaves.')
type NamedSeat = NamedCandidate & { sessionId: string }

/** A seat. `user` is the user after the list; null for an agent. */
type Seat = { session: SessionWithPlayers; player: ArenaPlayer; user: EndUser | null }

/** Moves entry fees and adds them to the timelines. The caller has checked the balances. Returns the users who paid or got points, as they are afterwards. */
const moveFees = async (
  work: Transaction,
  fees: { session: SessionWithPlayers; user: EndUser | null }[],
  eventType: 'session_entry' | 'session_refund',
): Promise<Map<UserId, EndUser>> => {
  const paid = fees.flatMap(({ session, user }) =>
    user && session.entryFee > 0 ? [{ session, user }] : [],
  )
  const sign = eventType === 'session_entry' ? -1 : 1
  const posted = await postMovements(
    work,
    paid.map(({ session, user }) => ({
      ...tenantOf(user),
      externalId: user.externalId,
      points: sign * session.entryFee,
      eventType,
      account: accountOf(session),
      sourceId: session.id,
      metadata: { gameId: session.gameId },
    })),
  )
  await trackSessionPoints(
    work,
    paid.map(
      ({ session, user }): SessionPoints => ({
        ...tenantOf(user),
        userId: user.id,
        sessionId: session.id,
        eventType,
        points: sign * session.entryFee,
      }),
    ),
  )
  return new Map(
    posted.map(({ n, ...wallet }) => {
      const { user } = paid[n] as { user: EndUser }
      return [user.id, userAfter(user, wallet)]
    }),
  )
}

/** The seats with their users after the fees were moved. */
const withUsersAfter = (
  seats: (Seat | TesseraError)[],
  after: Map<UserId, EndUser>,
): (Seat | TesseraError)[] =>
  seats.map((seat) =>
    seat instanceof TesseraError || !seat.user
      ? seat
      : { ...seat, user: after.get(seat.user.id) ?? seat.user },
  )

const freeSlot = ({ players }: SessionWithPlayers) => {
  const taken = new Set(players.map(({ slot }) => slot))
  let slot = 1
  while (taken.has(slot)) slot++
  return slot
}

/** Seats a player, who pays the entry fee. A full session begins. */
const takeSeat = (
  session: SessionWithPlayers,
  { user, agent }: Candidate,
  now: Date,
): ArenaPlayer => {
  const player: ArenaPlayer = {
    id: uuid(),
    sessionId: session.id,
    ...tenantOf(user ?? agent),
    slot: freeSlot(session),
    type: user ? 'HUMAN' : 'AGENT',
    userId: user?.id ?? null,
    agentId: agent?.id ?? null,
    score: null,
    isWinner: false,
    joinedAt: now,
  }
  session.players.push(player)
  session.currentPlayers += 1
  session.prizePool += session.entryFee
  if (session.currentPlayers === session.maxPlayers) begin(session, now)
  return player
}

/**
 * Seats users and agents in the order of the list, in a constant number of statements. Somebody who is
 * already seated gets the same seat and pays nothing, so a call can be retried. A full session begins.
 *
 * The result of a refused call is SESSION_NOT_FOUND, USER_NOT_FOUND, AGENT_NOT_FOUND or USER_BLOCKED,
 * VALIDATION_FAILED (the game takes no agents), AGENT_STATUS_CONFLICT, SESSION_FULL, SESSION_NOT_OPEN,
 * INSUFFICIENT_POINTS, SESSION_OF_ONE_PARTNER or POINT_CAP_REACHED, checked in this order.
 */
export const joinArenaSessions = (work: Work, joins: NamedSeat[]): Promise<(Seat | Error)[]> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const sessions = await lockSessions(
      work,
      joins.map(({ sessionId }) => sessionId),
    )
    const book = await lockFlowBook(
      work,
      joins.flatMap(({ sessionId, partnerId }) => {
        const session = sessions.get(sessionId)
        return session ? [{ session, partnerId }] : []
      }),
    )
    const candidates = await lockCandidates(work, joins)
    const balances = new Map(
      candidates.flatMap((candidate) =>
        candidate instanceof TesseraError || !candidate.user
          ? []
          : [[candidate.user.id, candidate.user.balance] as const],
      ),
    )
    const changes = sessionChangesOf(sessions)
    const seated: { session: SessionWithPlayers; user: EndUser | null; player: ArenaPlayer }[] = []

    const results = joins.map(({ sessionId, partnerId }, n): Seat | TesseraError => {
      const session = sessions.get(sessionId)
      if (!session) return new TesseraError('SESSION_NOT_FOUND')
      const candidate = candidates[n] as Candidate | TesseraError
      if (candidate instanceof TesseraError) return candidate
      const own = seatOf(session, candidate)
      const { user, agent } = candidate
      if (own) return { session, player: own, user }
      if (user && isBlocked(user, now)) return userBlocked()
      const fault = (agent && agentFault(session, agent)) ?? seatFault(session, now)
      if (fault) return fault
      const balance = ((user && balances.get(user.id)) ?? 0n) - BigInt(session.entryFee)
      if (balance < 0n) {
        const price = session.entryFee
        return new TesseraError('INSUFFICIENT_POINTS', { balance: Number(balance) + price, price })
      }
      const refusal = reserveFlows(book, { session, partnerId })
      if (refusal) return refusal
      if (user) balances.set(user.id, balance)
      const player = takeSeat(session, candidate, now)
      seated.push({ session, user, player })
      return { session, player, user }
    })

    await saveFlows(work, book)
    const after = await moveFees(work, seated, 'session_entry')
    if (seated.length > 0)
      await work.tx.arenaPlayer.createMany({ data: seated.map(({ player }) => player) })
    await saveSessions(work, changes())
    return withUsersAfter(results, after)
  })

/**
 * Removes users and agents from sessions that have not begun, and refunds entry fees, in a constant number
 * of statements.
 *
 * The result of a refused call is SESSION_NOT_FOUND, PLAYER_NOT_FOUND or SESSION_NOT_OPEN.
 */
export const leaveArenaSessions = (work: Work, leaves: NamedSeat[]): Promise<(Seat | Error)[]> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const sessions = await lockSessions(
      work,
      leaves.map(({ sessionId }) => sessionId),
    )
    await lockFlowsOf(work, sessions.values())
    const candidates = await lockCandidates(work, leaves)
    const changes = sessionChangesOf(sessions)
    const open = [...sessions.values()].map((session) => ({ session, before: flowsOf(session) }))
    const left: { session: SessionWithPlayers; user: EndUser | null; player: ArenaPlayer }[] = []

    const results = leaves.map(({ sessionId }, n): Seat | TesseraError => {
      const session = sessions.get(sessionId)
      if (!session) return new TesseraError('SESSION_NOT_FOUND')
      const candidate = candidates[n] as Candidate | TesseraError
      const player = candidate instanceof TesseraError ? undefined : seatOf(session, candidate)
      if (!player) return new TesseraError('PLAYER_NOT_FOUND')
      if (session.status !== 'WAITING')
        return new TesseraError('SESSION_NOT_OPEN', standingOf(session, now))
      session.players = session.players.filter(({ id }) => id !== player.id)
      session.currentPlayers -= 1
      session.prizePool -= session.entryFee
      const { user } = candidate as Candidate
      left.push({ session, user, player })
      return { session, player, user }
    })

    await releaseFlows(work, open)
    const after = await moveFees(work, left, 'session_refund')
    if (left.length > 0)
      await work.tx.arenaPlayer.deleteMany({
        where: { id: { in: left.map(({ player }) => player.id) } },
      })
    await saveSessions(work, changes())
    return withUsersAfter(results, after)
  })

export const StartArenaSession = z.object(arenaSessionId).describe('A session to start.')

/** Whether a partner may start a session. */
const isInvolved = (session: SessionWithPlayers, partnerId: string) =>
  session.partnerId === partnerId ||
  session.players.some((player) => player.partnerId === partnerId)

/**
 * Starts sessions that have enough players but are not full.
 *
 * The result of a refused call is SESSION_NOT_FOUND, NOT_IN_SESSION, SESSION_NOT_OPEN or
 * SESSION_NEEDS_PLAYERS.
 */
export const startArenaSessions = (
  work: Work,
  starts: { sessionId: string; partnerId: string }[],
): Promise<(SessionWithPlayers | Error)[]> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const sessions = await lockSessions(
      work,
      starts.map(({ sessionId }) => sessionId),
    )
    const changes = sessionChangesOf(sessions)
    const results = starts.map(({ sessionId, partnerId }) => {
      const session = sessions.get(sessionId)
      if (!session) return new TesseraError('SESSION_NOT_FOUND')
      if (!isInvolved(session, partnerId)) return new TesseraError('NOT_IN_SESSION')
      if (session.status !== 'WAITING' || session.expiresAt <= now)
        return new TesseraError('SESSION_NOT_OPEN', standingOf(session, now))
      if (session.currentPlayers < session.minPlayers)
        return new TesseraError('SESSION_NEEDS_PLAYERS', {
          minimum: session.minPlayers,
          current: session.currentPlayers,
        })
      begin(session, now)
      return session
    })
    await saveSessions(work, changes())
    return results
  })

/** Refunds the entry fees of these sessions. */
export const refundSessions = async (
  work: Transaction,
  sessions: SessionWithPlayers[],
): Promise<void> => {
  const users = await lockPlayers(work, sessions)
  await moveFees(
    work,
    sessions.flatMap((session) =>
      session.players.flatMap(({ userId }) =>
        userId ? [{ session, user: users.get(userId) as EndUser }] : [],
      ),
    ),
    'session_refund',
  )
}
