/** Operators review and feature games (interface: Arena game status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaGame } from '../../generated/prisma/client.ts'
import { ArenaVerdict } from '../../generated/prisma/enums.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import type { EventData } from '../../kit/streams/events.ts'
import { integer, oneOf, storable } from '../../kit/validation.ts'
import { shownBuildUrl } from './game.rules.ts'
import { insertReviewEvent } from './game.sql.ts'
import { lockGame } from './game.ts'
import { ArenaGameBy } from './game-input.ts'
import type { gameReviewed } from './review.events.ts'

/** Notes of a review. White space alone counts as none. */
const notes = () =>
  storable(z.string('must be a string').max(5000, 'must be at most 5000 characters')).trim()

export const ReviewArenaGame = z
  .object({
    arenaGame: ArenaGameBy.describe('The game, by id or slug.'),
    verdict: oneOf('ArenaVerdict', ArenaVerdict).describe('Whether the build is published.'),
    reviewNotes: notes()
      .nullish()
      .describe('Feedback for the developer. Required for a rejection.'),
    buildNumber: integer(1, 2_147_483_647)
      .nullish()
      .describe('The reviewed build. Refused if a newer one has been submitted since.'),
  })
  .refine(({ verdict, reviewNotes }) => verdict !== 'REJECTED' || reviewNotes, {
    path: ['reviewNotes'],
    message: 'is required',
  })
  .describe('A review of a game.')
type ReviewArenaGame = Omit<z.output<typeof ReviewArenaGame>, 'arenaGame'>

/** Names any game, for operators. */
type GameId = { gameId: string }

/**
 * Approves or rejects the newest build of a game. Emits arena.game_reviewed to its developer.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, GAME_NOT_PENDING, BUILD_REPLACED
 */
export const reviewArenaGame = (
  { tx, clock, config }: Work & Pick<Runtime, 'config'>,
  {
    gameId,
    verdict: status,
    reviewNotes,
    buildNumber: buildNo,
    reviewerId,
  }: ReviewArenaGame & GameId & { reviewerId: string },
): Promise<ArenaGame> =>
  inTransaction({ tx }, async ({ tx }) => {
    const pending = await lockGame(tx, { gameId })
    if (pending.status !== 'PENDING_REVIEW') {
      const { status, reviewedAt } = pending
      const since = status === 'ARCHIVED' ? null : reviewedAt
      throw new TesseraError('GAME_NOT_PENDING', { status, since })
    }
    if (buildNo && buildNo !== pending.buildNo)
      throw new TesseraError('BUILD_REPLACED', {
        expectedVersion: buildNo,
        currentVersion: pending.buildNo,
        target: { type: 'ArenaGame', id: pending.id },
      })
    const now = clock()
    const review = { reviewNotes: reviewNotes || null, reviewedAt: now }
    const game = await tx.arenaGame.update({
      where: { id: pending.id },
      data: {
        ...review,
        status,
        ...(status === 'APPROVED' && {
          servingBuildUrl: pending.buildUrl,
          servingVersion: pending.version,
        }),
        updatedAt: now,
      },
    })
    await tx.arenaBuild.update({
      where: { gameId_buildNo: { gameId: game.id, buildNo: game.buildNo } },
      data: { ...review, verdict: status, reviewerId },
    })
    const data = {
      gameId: game.id,
      name: game.name,
      slug: game.slug,
      status,
      ...(reviewNotes && { reviewNotes }),
      buildUrl: shownBuildUrl(game.buildUrl, config.publicUrl),
      ...(game.version && { version: game.version }),
      reviewedAt: now.toISOString(),
    } satisfies EventData<typeof gameReviewed>
    await insertReviewEvent(tx, game, { id: uuid(), data, occurredAt: now })
    return game
  })

const arenaGame = { arenaGame: ArenaGameBy.describe('The game, by id or slug.') }
export const FeatureArenaGame = z.object(arenaGame).describe('A game to feature.')
export const UnfeatureArenaGame = z.object(arenaGame).describe('A game to stop featuring.')

/**
 * Features a public game. A game that is already featured keeps its place.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, GAME_NOT_PUBLIC
 */
export const featureArenaGame = ({ tx, clock }: Work, key: GameId): Promise<ArenaGame> =>
  inTransaction({ tx }, async ({ tx }) => {
    const { id, servingBuildUrl, featuredAt, status } = await lockGame(tx, key)
    if (servingBuildUrl === null) throw new TesseraError('GAME_NOT_PUBLIC', { status, since: null })
    return tx.arenaGame.update({ where: { id }, data: { featuredAt: featuredAt ?? clock() } })
  })

/**
 * Stops featuring a game.
 * @throws TesseraError ARENA_GAME_NOT_FOUND
 */
export const unfeatureArenaGame = ({ tx }: Work, key: GameId): Promise<ArenaGame> =>
  inTransaction({ tx }, async ({ tx }) => {
    const { id } = await lockGame(tx, key)
    return tx.arenaGame.update({ where: { id }, data: { featuredAt: null } })
  })
