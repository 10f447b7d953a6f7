/** A session ends with a winner: points, statistics, events (reliability: a result pays once). */
import { v7 as uuid } from 'uuid'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { creditAccounts } from '../points/account.ts'
import { movePoints } from '../points/wallet.ts'
import { type Outcome, splitPrize } from './arena.rules.ts'
import { flowsOf } from './arena-flow.rules.ts'
import { releaseFlows } from './arena-flow.ts'
import {
  accountOf,
  type SessionWithPlayers,
  saveSessions,
  trackSessionPoints,
} from './arena-session.ts'

export type Settled = { session: SessionWithPlayers; outcome: Outcome }

/** The account of a developer's earnings. */
export const developerAccount = (partnerId: string): string => `developer:${partnerId}`

/**
 * Ends sessions in progress, which the caller has locked and judged: pays winners and developers, keeps
 * scores, and tells the partners. A constant number of statements for the whole list.
 */
export const settleSessions = async (work: Work, settled: Settled[]): Promise<void> => {
  if (settled.length === 0) return
  const now = work.clock()
  const open = settled.map(({ session }) => ({ session, before: flowsOf(session) }))
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
  await payWinners(work, settled)
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
  const sessions = settled.map(({ session }) => session)
  await saveScores(work, sessions)
  await countForGames(work, sessions)
  await announce(work, sessions)
}

const payWinners = async (work: Work, settled: Settled[]) => {
  const winners = settled.flatMap(({ session }) => {
    const winner = session.players.find(({ isWinner }) => isWinner)
    return winner?.userId && session.winnerPrize
      ? [{ session, player: winner, userId: winner.userId, points: session.winnerPrize }]
      : []
  })
  if (winners.length === 0) return
  const users = await work.tx.endUser.findMany({
    where: { id: { in: winners.map(({ userId }) => userId) } },
    select: { id: true, externalId: true },
  })
  const externalIds = new Map(users.map(({ id, externalId }) => [id, externalId]))
  const paid = await movePoints(
    work,
    winners.map(({ session, player, userId, points }) => ({
      partnerId: player.partnerId,
      environment: player.environment,
      userId: externalIds.get(userId) as string,
      points,
      eventType: 'session_prize',
      account: accountOf(session),
      sourceId: session.id,
      metadata: { gameId: session.gameId },
    })),
  )
  for (const moved of paid) if (moved instanceof Error) throw moved
  await trackSessionPoints(
    work,
    winners.map(({ session, player, userId, points }) => ({
      partnerId: player.partnerId,
      environment: player.environment,
      userId,
      sessionId: session.id,
      eventType: 'session_prize',
      points,
    })),
  )
}

const saveScores = ({ tx }: Work, sessions: SessionWithPlayers[]) => {
  const rows = sessions.flatMap(({ players }) =>
    players.map(({ id, score, isWinner }) => ({ id, score, is_winner: isWinner })),
  )
  return tx.$executeRaw`/* save_scores */
    UPDATE arena_player p SET score = i.score, is_winner = i.is_winner
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, score int, is_winner bool)
    WHERE p.id = i.id AND p.id = ANY (${rows.map(({ id }) => id)}::uuid[])`
}

const countForGames = ({ tx }: Work, sessions: SessionWithPlayers[]) => {
  const rows = sessions.map((session) => ({
    id: session.gameId,
    players: session.currentPlayers,
    earned: session.developerShare,
  }))
  return tx.$executeRaw`/* count_for_games */
    WITH played AS (
      SELECT id, count(*) AS sessions, sum(players) AS players, sum(earned) AS earned
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, players int, earned int)
      GROUP BY id
    ), locked AS MATERIALIZED (
      SELECT id FROM arena_game WHERE id IN (SELECT id FROM played) ORDER BY id FOR UPDATE
    )
    UPDATE arena_game g SET total_sessions = g.total_sessions + p.sessions,
      total_players = g.total_players + p.players, total_earnings = g.total_earnings + p.earned
    FROM played p JOIN locked l ON l.id = p.id WHERE g.id = p.id`
}

/**
 * The event arena.session_completed, once for each partner concerned: the game's developer, and those
 * whose users have played. Each learns the ids of their own users and agents only.
 */
const announce = async (work: Work, sessions: SessionWithPlayers[]) => {
  const userIds = sessions.flatMap(({ players }) => players.flatMap(({ userId }) => userId ?? []))
  const users = await work.tx.endUser.findMany({
    where: { id: { in: userIds } },
    select: { id: true, externalId: true },
  })
  const externalIds = new Map(users.map(({ id, externalId }) => [id, externalId]))
  const events = sessions.flatMap((session) => {
    const partners = new Set([
      session.gamePartnerId,
      ...session.players.map(({ partnerId }) => partnerId),
    ])
    return [...partners].map((partnerId) => ({
      id: uuid(),
      partner_id: partnerId,
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
            player.userId && { userId: externalIds.get(player.userId) }),
          ...(player.partnerId === partnerId && player.agentId && { agentId: player.agentId }),
        })),
        completedAt: session.completedAt?.toISOString(),
      },
    }))
  })
  await work.tx.$executeRaw`/* announce_sessions */ ${emit(
    'arena.session_completed',
    Prisma.sql`SELECT *, 'LIVE'::"Environment" AS environment, ${work.clock()}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(events)}::json)
        AS i (id uuid, partner_id uuid, data json)`,
  )}`
}
