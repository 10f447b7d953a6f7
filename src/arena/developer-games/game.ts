/** Games that developers submit (interface: Arena game). */

import { v7 as uuid } from 'uuid'
import type { ArenaBuild, ArenaGame, Partner, Prisma } from '../../generated/prisma/client.ts'
import { inTransaction, type Tx } from '../../kit/database/db.ts'
import { lockName } from '../../kit/database/session.sql.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import { equal } from '../../kit/schema/filters.ts'
import { mayBeLoopback } from '../../kit/security/address.ts'
import { maxPoints } from '../../kit/validation.ts'
import { freeSlug, inPercent, slugBase, storedBuildUrl } from './game.rules.ts'
import { selectGameForUpdate } from './game.sql.ts'
import type { SubmitArenaBuild, SubmitArenaGame, UpdateArenaGame } from './game-input.ts'

/** Public games: they have an approved build, and their partner is not closed. */
export const publicGames = {
  servingBuildUrl: { not: null },
  partner: { closedAt: null },
} as const satisfies Prisma.ArenaGameWhereInput

export const isPublic = ({
  servingBuildUrl,
  partner,
}: Pick<ArenaGame, 'servingBuildUrl'> & { partner: Pick<Partner, 'closedAt'> }): boolean =>
  servingBuildUrl !== null && partner.closedAt === null

/** Names a game of a partner. Without a partner, any game, for operators. */
type GameKey = { gameId: string; partnerId?: string | undefined }

type Rules = Pick<ArenaGame, 'minPlayers' | 'maxPlayers' | 'entryFee' | 'resultPolicy'>

/** Checks the constraints between fields after a change. */
const checkRules = ({ minPlayers, maxPlayers, entryFee, resultPolicy }: Rules) => {
  if (maxPlayers < minPlayers) throw refused('maxPlayers', 'must be at least minPlayers')
  if (entryFee * maxPlayers > maxPoints)
    throw refused('entryFee', `times maxPlayers must be at most ${maxPoints}`)
  if (entryFee > 0 && resultPolicy === 'OPEN')
    throw refused('resultPolicy', 'cannot be OPEN when there is an entry fee')
}

/** In development, a build may be served by the developer's own machine. */
const checkBuildUrl = (url: string, { config }: Pick<Runtime, 'config'>): string => {
  const stored = storedBuildUrl(url, config.publicUrl, mayBeLoopback(url, config))
  if (!stored) throw refused('buildUrl', 'must be an https URL without a password')
  return stored
}

type Store = Work & Pick<Runtime, 'config'>

/**
 * Submits a game for review.
 * @throws TesseraError VALIDATION_FAILED
 */
export const submitArenaGame = (
  store: Store,
  {
    partnerId,
    developerRevenueRate,
    estimatedDurationSeconds,
    ...input
  }: SubmitArenaGame & { partnerId: string },
): Promise<ArenaGame> =>
  inTransaction(store, async (txWork) => {
    const { tx } = txWork
    const now = store.clock()
    const fields = {
      ...input,
      estimatedDuration: estimatedDurationSeconds ?? null,
      entryFee: input.entryFee ?? 0,
      developerRevenueShare: inPercent(developerRevenueRate) ?? 30,
      supportsAgents: input.supportsAgents ?? false,
      resultPolicy: input.resultPolicy ?? null,
      buildUrl: checkBuildUrl(input.buildUrl, store),
    }
    checkRules(fields)
    // Two games that are submitted at the same time must not choose the same slug.
    await lockName(tx, 'arena_game_slug')
    const taken = await tx.arenaGame.findMany({
      where: { slug: { startsWith: slugBase(input.name) } },
      select: { slug: true },
    })
    const slugs = new Set(taken.map(({ slug }) => slug))
    const game = await tx.arenaGame.create({
      data: {
        ...fields,
        id: uuid(),
        partnerId,
        slug: freeSlug(input.name, (slug) => slugs.has(slug)),
        createdAt: now,
        updatedAt: now,
      },
    })
    await addBuild(txWork, game)
    return game
  })

/** Adds the newest build of a game to its history. */
const addBuild = ({ tx, clock }: Work, game: ArenaGame) =>
  tx.arenaBuild.create({
    data: {
      id: uuid(),
      partnerId: game.partnerId,
      gameId: game.id,
      buildNo: game.buildNo,
      buildUrl: game.buildUrl,
      version: game.version,
      submittedAt: clock(),
    },
  })

/**
 * Locks a game until the transaction ends.
 * @throws TesseraError ARENA_GAME_NOT_FOUND for another partner's game too
 */
export const lockGame = async (tx: Tx, { gameId, partnerId }: GameKey): Promise<ArenaGame> => {
  await selectGameForUpdate(tx, gameId)
  const game = await tx.arenaGame.findUnique({
    where: { id: gameId, ...(partnerId && { partnerId }) },
  })
  if (!game) throw new TesseraError('ARENA_GAME_NOT_FOUND')
  return game
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

/** Required fields of a game: null leaves them unchanged. */
const neverNull = new Set([
  'name',
  'category',
  'engine',
  'playerMode',
  'minPlayers',
  'maxPlayers',
  'supportsAgents',
  'entryFee',
])

/**
 * Changes the fields that need no review. Existing sessions keep their price and payout.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, VALIDATION_FAILED
 */
export const updateArenaGame = (
  { tx, clock }: Work,
  {
    gameId,
    partnerId,
    developerRevenueRate,
    estimatedDurationSeconds: estimatedDuration,
    ...input
  }: UpdateArenaGame & GameKey,
): Promise<ArenaGame> =>
  inTransaction({ tx }, async ({ tx }) => {
    const game = await lockGame(tx, { gameId, partnerId })
    const developerRevenueShare = inPercent(developerRevenueRate)
    const changes = Object.fromEntries(
      Object.entries(
        withoutUndefined({ ...input, estimatedDuration, developerRevenueShare }),
      ).filter(([name, value]) => value !== null || !neverNull.has(name)),
    )
    checkRules({ ...game, ...changes })
    return tx.arenaGame.update({
      where: { id: game.id },
      data: { ...changes, updatedAt: clock() },
    })
  })

/**
 * Submits a new build of a game in any state for review. The last approved build stays public.
 * @throws TesseraError ARENA_GAME_NOT_FOUND, VALIDATION_FAILED
 */
export const submitArenaBuild = (
  store: Store,
  { gameId, partnerId, buildUrl, version }: SubmitArenaBuild & GameKey,
): Promise<ArenaGame> =>
  inTransaction(store, async (txWork) => {
    const { tx } = txWork
    const game = await lockGame(tx, { gameId, partnerId })
    const changed = await tx.arenaGame.update({
      where: { id: game.id },
      data: {
        buildNo: game.buildNo + 1,
        buildUrl: checkBuildUrl(buildUrl, store),
        version: version ?? null,
        status: 'PENDING_REVIEW',
        reviewNotes: null,
        reviewedAt: null,
        updatedAt: store.clock(),
      },
    })
    await addBuild(txWork, changed)
    return changed
  })

/**
 * Removes a game from the arena. Its data and earnings stay, and sessions in progress continue. Idempotent.
 * @throws TesseraError ARENA_GAME_NOT_FOUND
 */
export const archiveArenaGame = ({ tx, clock }: Work, key: GameKey): Promise<ArenaGame> =>
  inTransaction({ tx }, async ({ tx }) => {
    const game = await lockGame(tx, key)
    if (game.status === 'ARCHIVED') return game
    return tx.arenaGame.update({
      where: { id: game.id },
      data: {
        status: 'ARCHIVED',
        servingBuildUrl: null,
        servingVersion: null,
        featuredAt: null,
        updatedAt: clock(),
      },
    })
  })

/** A game by its id or slug, if it meets a condition. */
export const findGame = (
  { db }: Pick<Runtime, 'db'>,
  by: { id?: string | undefined; slug?: string | undefined },
  where: Prisma.ArenaGameWhereInput,
): Promise<ArenaGame | null> => db.arenaGame.findFirst({ where: { ...equal(by), ...where } })

/** How many builds of the history are shown. */
export const shownBuilds = 50

/** The newest builds of games, newest first, in one statement. */
export const findBuilds = async ({ tx }: Work, gameIds: string[]): Promise<ArenaBuild[][]> => {
  const games = await tx.arenaGame.findMany({
    where: { id: { in: gameIds } },
    select: { id: true, builds: { orderBy: { buildNo: 'desc' }, take: shownBuilds } },
  })
  return inOrder(gameIds, games).map((game) => game?.builds ?? [])
}

/** The newest build of each game. Each game was submitted with one. */
export const findNewestBuilds = async (
  { tx }: Work,
  games: Pick<ArenaGame, 'id' | 'buildNo'>[],
): Promise<ArenaBuild[]> => {
  const builds = await tx.arenaBuild.findMany({
    where: { OR: games.map(({ id, buildNo }) => ({ gameId: id, buildNo })) },
  })
  return inOrder(
    games,
    builds,
    ({ gameId }) => gameId,
    ({ id }) => id,
  ) as ArenaBuild[]
}

type GameOfPartner = ArenaGame & { partner: Pick<Partner, 'closedAt'> }

/** Games by their ids, regardless of who may see them. */
export const findGames = async ({ tx }: Work, ids: string[]): Promise<(GameOfPartner | null)[]> =>
  inOrder(
    ids,
    await tx.arenaGame.findMany({
      where: { id: { in: [...new Set(ids)] } },
      include: { partner: { select: { closedAt: true } } },
    }),
  )
