/** What administrators decide about games (interface: Arena game status). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { flag, integer, isStorable, oneOf } from '../core/validation.ts'
import { type ArenaGame, Prisma } from '../generated/prisma/client.ts'
import { ArenaVerdict } from '../generated/prisma/enums.ts'
import { shownBuildUrl } from './arena.rules.ts'
import { lockGame } from './arena-game.ts'
import { id } from './arena-input.ts'

/** What a review says; only white space is nothing. */
const notes = () =>
  z
    .string('must be a string')
    .max(5000, 'must be at most 5000 characters')
    .refine(isStorable, 'must not contain NUL characters or lone surrogates')
    .trim()

export const ReviewArenaGame = z
  .object({
    gameId: id('ArenaGame').describe('The game.'),
    status: oneOf('ArenaVerdict', ArenaVerdict).describe('What is decided.'),
    reviewNotes: notes().nullish().describe('Feedback for the developer; a rejection needs it.'),
    buildNo: integer(1, 2_147_483_647)
      .nullish()
      .describe('The build that was looked at: refused when another has come since.'),
  })
  .refine(({ status, reviewNotes }) => status !== 'REJECTED' || reviewNotes, {
    path: ['reviewNotes'],
    message: 'is required',
  })
  .describe('A review of a game.')
export type ReviewArenaGame = z.output<typeof ReviewArenaGame>

/**
 * Decides about the newest build of a game, and tells the developer by the event arena.game_reviewed.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, GAME_NOT_PENDING, BUILD_REPLACED
 */
export const reviewArenaGame = (
  { tx, clock, config }: Work & Pick<Runtime, 'config'>,
  { gameId, status, reviewNotes, buildNo, reviewerId }: ReviewArenaGame & { reviewerId: string },
): Promise<ArenaGame> =>
  inTransaction(tx, async (tx) => {
    const pending = await lockGame(tx, { gameId })
    if (pending.status !== 'PENDING_REVIEW') {
      const { status, reviewedAt } = pending
      const since = status === 'ARCHIVED' ? null : reviewedAt
      throw new TesseraError('GAME_NOT_PENDING', { status, since })
    }
    if (buildNo && buildNo !== pending.buildNo) throw new TesseraError('BUILD_REPLACED')
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
    }
    await tx.$executeRaw`/* announce_review */ ${emit(
      'arena.game_reviewed',
      Prisma.sql`SELECT ${uuid()}::uuid AS id, ${game.partnerId}::uuid AS partner_id,
        'LIVE'::"Environment" AS environment, ${JSON.stringify(data)}::json AS data,
        ${now}::timestamptz AS occurred_at`,
    )}`
    return game
  })

export const FeatureArenaGame = z
  .object({
    gameId: id('ArenaGame').describe('The game.'),
    featured: flag().describe('Whether it is featured.'),
  })
  .describe('Whether a game stands among the featured ones.')

/**
 * Puts a public game among the featured ones, or takes it out.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, GAME_NOT_PUBLIC
 */
export const featureArenaGame = (
  { tx, clock }: Work,
  { gameId, featured }: z.output<typeof FeatureArenaGame>,
): Promise<ArenaGame> =>
  inTransaction(tx, async (tx) => {
    const game = await lockGame(tx, { gameId })
    if (featured && game.servingBuildUrl === null)
      throw new TesseraError('GAME_NOT_PUBLIC', { status: game.status, since: null })
    const featuredAt = featured ? (game.featuredAt ?? clock()) : null
    return tx.arenaGame.update({ where: { id: game.id }, data: { featuredAt } })
  })
