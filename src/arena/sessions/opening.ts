/** Creates sessions. */
import { z } from 'zod'
import type { ArenaPlayer, EndUser } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Work } from '../../kit/runtime.ts'
import { flag } from '../../kit/validation.ts'
import { effectivePolicy } from '../developer-games/game.rules.ts'
import { publicGames } from '../developer-games/game.ts'
import { ArenaGameBy } from '../developer-games/game-input.ts'
import { type NamedCandidate, UserOrAgentBy } from './candidate.ts'
import { joinArenaSessions } from './seat.ts'
import { playSecondsOf } from './session.rules.ts'
import {
  dropSessions,
  insertSessions,
  lockSessions,
  type NewSession,
  type SessionWithPlayers,
} from './session.ts'

export const CreateArenaSession = z
  .object({
    arenaGame: ArenaGameBy.describe('The game, by id or slug.'),
    player: UserOrAgentBy.nullish().describe('Who joins at once. Defaults to nobody.'),
    hasPublicMoves: flag()
      .nullish()
      .describe('Whether anybody may watch the moves; false unless it is set.'),
  })
  .describe('A session to create. If its player cannot join, no session is created.')

/** A new session, and its first seat and user if it was created with a player. */
export type OpenedSession = {
  session: SessionWithPlayers
  player: ArenaPlayer | null
  user: EndUser | null
}

/** The terms of sessions of these games. Omits games that are not public. */
const findTerms = async ({ tx }: Work, gameIds: string[]) => {
  const games = await tx.arenaGame.findMany({
    where: {
      id: { in: gameIds },
      ...publicGames,
    },
  })
  return new Map(
    games.map((game) => [
      game.id,
      {
        gameId: game.id,
        gamePartnerId: game.partnerId,
        entryFee: game.entryFee,
        developerRevenueShare: game.developerRevenueShare,
        resultPolicy: effectivePolicy(game.resultPolicy, game.entryFee),
        minPlayers: game.minPlayers,
        maxPlayers: game.maxPlayers,
        playSeconds: playSecondsOf(game.estimatedDuration),
      },
    ]),
  )
}

/**
 * Creates sessions of public games and seats the named users and agents, in a constant number of statements
 * for the whole list.
 *
 * The result of a refused call is ARENA_GAME_NOT_FOUND, or the error of `joinArenaSessions`.
 */
export const createArenaSessions = (
  work: Work,
  creates: (NamedCandidate & { gameId: string; hasPublicMoves?: boolean | null | undefined })[],
): Promise<(OpenedSession | Error)[]> =>
  inTransaction(work, async (work) => {
    const terms = await findTerms(
      work,
      creates.map(({ gameId }) => gameId),
    )
    const open = creates.flatMap(({ gameId, partnerId, hasPublicMoves }, n) => {
      const found = terms.get(gameId)
      if (!found) return []
      const session = {
        ...found,
        partnerId,
        isPublic: hasPublicMoves ?? false,
      } satisfies NewSession
      return [{ n, session }]
    })
    const ids = await insertSessions(
      work,
      open.map(({ session }) => session),
    )
    const made = new Map(open.map(({ n, session }, i) => [n, { id: ids[i] as string, ...session }]))
    const joins = creates.flatMap(({ gameId: _, hasPublicMoves: __, ...candidate }, n) => {
      const session = made.get(n)
      const isNamed = candidate.externalId != null || candidate.agentId != null
      return isNamed && session ? [{ n, ...candidate, sessionId: session.id }] : []
    })
    const joined = await joinArenaSessions(work, joins)
    const seats = new Map(joins.map(({ n }, i) => [n, joined[i]]))
    await dropSessions(
      work,
      [...seats].flatMap(([n, seat]) => (seat instanceof Error ? (made.get(n) ?? []) : [])),
    )
    const sessions = await lockSessions(work, ids)
    return creates.map((_, n): OpenedSession | Error => {
      const session = made.get(n)
      if (!session) return new TesseraError('ARENA_GAME_NOT_FOUND')
      const seat = seats.get(n)
      if (seat instanceof Error) return seat
      return {
        session: sessions.get(session.id) as SessionWithPlayers,
        player: seat?.player ?? null,
        user: seat?.user ?? null,
      }
    })
  })
