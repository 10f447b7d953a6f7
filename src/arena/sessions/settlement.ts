/** Settles sessions: points, statistics and events. A result pays once. */
import { v7 as uuid } from 'uuid'
import type { EndUser } from '../../generated/prisma/client.ts'
import type { Transaction } from '../../kit/runtime.ts'
import type { EventData } from '../../kit/streams/events.ts'
import { tenantOf } from '../../kit/tenant.ts'
import { creditAccounts, postMovements } from '../../points/wallet.ts'
import { flowsOf } from '../developer-games/flow.rules.ts'
import { addToGames, insertSessionEvents, updateScores } from './flow.sql.ts'
import { releaseFlows } from './flow.ts'
import type { sessionCompleted } from './session.events.ts'
import { type SessionOutcome, splitPrize } from './session.rules.ts'
import {
  accountOf,
  lockPlayers,
  type SessionWithPlayers,
  saveSessions,
  trackSessionPoints,
} from './session.ts'

type Users = Awaited<ReturnType<typeof lockPlayers>>

export type Settled = { session: SessionWithPlayers; outcome: SessionOutcome }

/** The account of a developer's earnings. */
export const developerAccount = (partnerId: string): string => `developer:${partnerId}`

/**
 * Ends sessions in progress that the caller has locked: pays winners and developers, writes scores and emits
 * events, in a constant number of statements.
 */
export const settleSessions = async (work: Transaction, settled: Settled[]): Promise<void> => {
  if (settled.length === 0) return
  const now = work.clock()
  const sessions = settled.map(({ session }) => session)
  const open = sessions.map((session) => ({ session, before: flowsOf(session) }))
  for (const { session, outcome } of settled) {
    Object.assign(session, splitPrize(session.prizePool, session.developerRevenueShare))
    session.status = 'COMPLETED'
    session.winnerId = outcome.winnerId
    session.completedAt = now
    for (const player of session.players) {
      player.score = outcome.scores[player.id] ?? null
      player.isWinner = player.id === outcome.winnerId
    }
  }
  await releaseFlows(work, open)
  const users = await lockPlayers(work, sessions)
  await payWinners(work, sessions, users)
  await creditAccounts(
    work,
    settled.flatMap(({ session }) =>
      session.developerShare
        ? [
            {
              partnerId: session.gamePartnerId,
              environment: session.environment,
              holder: developerAccount(session.gamePartnerId),
              points: session.developerShare,
              eventType: 'developer_share',
              account: accountOf(session),
              sourceId: session.id,
            },
          ]
        : [],
    ),
  )
  await saveSessions(
    work,
    settled.map(({ session }) => ({ was: 'IN_PROGRESS', session })),
  )
  await updateScores(
    work.tx,
    sessions.flatMap(({ players }) => players),
  )
  await addToGames(
    work.tx,
    sessions.map(({ gameId, currentPlayers, developerShare }) => ({
      gameId,
      players: currentPlayers,
      earned: developerShare,
    })),
  )
  await announce(work, sessions, users)
}

const payWinners = async (work: Transaction, sessions: SessionWithPlayers[], users: Users) => {
  const winners = sessions.flatMap((session) => {
    const winner = session.players.find(({ isWinner }) => isWinner)
    return winner?.userId && session.winnerPrize
      ? [{ session, user: users.get(winner.userId) as EndUser, points: session.winnerPrize }]
      : []
  })
  if (winners.length === 0) return
  await postMovements(
    work,
    winners.map(({ session, user, points }) => ({
      ...tenantOf(user),
      externalId: user.externalId,
      points,
      eventType: 'session_prize',
      account: accountOf(session),
      sourceId: session.id,
      metadata: { gameId: session.gameId },
    })),
  )
  await trackSessionPoints(
    work,
    winners.map(({ session, user, points }) => ({
      ...tenantOf(user),
      userId: user.id,
      sessionId: session.id,
      eventType: 'session_prize',
      points,
    })),
  )
}

/**
 * Emits `arena.session_completed` to the game's developer and to each partner whose users or agents played.
 * A partner sees only the ids of its own users and agents.
 */
const announce = async (work: Transaction, sessions: SessionWithPlayers[], users: Users) => {
  const events = sessions.flatMap((session) => {
    const partners = new Set([
      session.gamePartnerId,
      ...session.players.map(({ partnerId }) => partnerId),
    ])
    return [...partners].map((partnerId) => ({
      id: uuid(),
      partnerId,
      data: {
        sessionId: session.id,
        gameId: session.gameId,
        winnerId: session.winnerId,
        prizePool: session.prizePool,
        developerShare: session.developerShare,
        winnerPrize: session.winnerPrize,
        players: session.players.map((player) => ({
          id: player.id,
          slot: player.slot,
          type: player.type,
          score: player.score,
          isWinner: player.isWinner,
          ...(player.partnerId === partnerId &&
            player.userId && { userId: users.get(player.userId)?.externalId }),
          ...(player.partnerId === partnerId && player.agentId && { agentId: player.agentId }),
        })),
        completedAt: session.completedAt?.toISOString(),
      } satisfies EventData<typeof sessionCompleted>,
    }))
  })
  await insertSessionEvents(work.tx, events, work.clock())
}
