/**
 * Partners let prize pools of a game hold points of several partners, up to a cap
 * (docs/decisions/points-between-partners-are-reserved.md).
 */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaAcceptance, ArenaGame } from '../../generated/prisma/client.ts'
import { inTransaction, type Queries } from '../../kit/database/db.ts'
import type { Model } from '../../kit/database/model.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Work } from '../../kit/runtime.ts'
import { integer, maxPoints, text } from '../../kit/validation.ts'
import { dayOf, type Flow, isSameTerms, isShareable } from './flow.rules.ts'
import { isTermsVersion, termsOf } from './game.rules.ts'
import { publicGames } from './game.ts'
import { ArenaGameBy } from './game-input.ts'

const arenaGame = { arenaGame: ArenaGameBy.describe('The game that the acceptance is about.') }

export const AcceptArenaGame = z
  .object({
    ...arenaGame,
    maxPointsInPerDay: integer(0, maxPoints).describe(
      "Points that the partner's users may win from users of other partners in sessions created on one UTC day.",
    ),
    maxPointsOutPerDay: integer(0, maxPoints).describe(
      "Points that the partner's users may lose to users of other partners in sessions created on one UTC day.",
    ),
    expectedTermsVersion: text(64)
      .nullish()
      .describe(
        'The `termsVersion` of the game that you saw. Other terms are an `ARENA_TERMS_CHANGED`, and nothing is changed. Omitted: no check.',
      ),
  })
  .describe('A game to accept on its current terms, with caps on the points that may flow.')
type AcceptArenaGame = Omit<z.output<typeof AcceptArenaGame>, 'arenaGame'>

export const WithdrawArenaAcceptance = z.object(arenaGame).describe('An acceptance to withdraw.')

type Acceptance = ArenaAcceptance & { game: ArenaGame }

/** The model of acceptances, each with its game. */
export const acceptancesWithGames = (tx: Queries): Model<Acceptance> => ({
  count: (args) => tx.arenaAcceptance.count(args),
  findMany: (args) => tx.arenaAcceptance.findMany({ ...args, include: { game: true } }),
})

/** Whether the acceptance covers new sessions of the game. */
export const isInForce = ({ game, withdrawnAt, ...accepted }: Acceptance): boolean =>
  withdrawnAt === null && isSameTerms(accepted, termsOf(game))

type GameOfPartner = { partnerId: string; gameId: string }

/**
 * Accepts a public game on its current terms, or changes the caps. After a cap is lowered, nothing new is
 * reserved while the total exceeds it. Existing reservations are still settled.
 * @throws TesseraError ARENA_GAME_NOT_FOUND; ARENA_TERMS_CHANGED when the terms are not those the caller saw;
 *   VALIDATION_FAILED for a game whose pools cannot be shared
 */
export const acceptArenaGame = (
  { tx, clock }: Work,
  input: AcceptArenaGame & GameOfPartner,
): Promise<Acceptance> =>
  inTransaction({ tx }, async ({ tx }) => {
    const { partnerId, gameId, maxPointsInPerDay, maxPointsOutPerDay } = input
    const game = await tx.arenaGame.findUnique({
      where: { id: gameId, ...publicGames },
    })
    if (!game) throw new TesseraError('ARENA_GAME_NOT_FOUND')
    const terms = termsOf(game)
    const { expectedTermsVersion: seen } = input
    if (seen != null && !isTermsVersion(terms, seen)) {
      const target = { type: 'ArenaGame', id: gameId }
      throw new TesseraError('ARENA_TERMS_CHANGED', {
        expectedVersion: null,
        currentVersion: null,
        target,
      })
    }
    if (!isShareable(terms))
      throw refused(
        'arenaGame',
        'must be of a game with an entry fee and the policy QUORUM or SERVER',
      )
    const caps = { maxPointsInPerDay, maxPointsOutPerDay }
    const fields = { ...terms, ...caps, acceptedAt: clock(), withdrawnAt: null }
    // One statement, so that two members can accept at the same time. An `include` would make it two.
    const acceptance = await tx.arenaAcceptance.upsert({
      where: { partnerId_gameId: { partnerId, gameId } },
      create: { id: uuid(), partnerId, gameId, ...fields },
      update: fields,
    })
    return { ...acceptance, game }
  })

/**
 * Ends an acceptance. No new seat may put points of the partner at risk. Sessions in progress are still settled.
 * Idempotent.
 * @throws TesseraError ARENA_ACCEPTANCE_NOT_FOUND
 */
export const withdrawArenaAcceptance = (
  { tx, clock }: Work,
  { partnerId, gameId }: GameOfPartner,
): Promise<Acceptance> =>
  inTransaction({ tx }, async ({ tx }) => {
    await tx.arenaAcceptance.updateMany({
      where: { partnerId, gameId, withdrawnAt: null },
      data: { withdrawnAt: clock() },
    })
    const acceptance = await tx.arenaAcceptance.findUnique({
      where: { partnerId_gameId: { partnerId, gameId } },
      include: { game: true },
    })
    if (!acceptance) throw new TesseraError('ARENA_ACCEPTANCE_NOT_FOUND')
    return acceptance
  })

type AcceptanceKey = Pick<ArenaAcceptance, 'partnerId' | 'gameId'>

const nameOf = ({ partnerId, gameId }: AcceptanceKey) => `${partnerId} ${gameId}`

/** The acceptance of each game by each partner; null where there is none. */
export const findAcceptances = async (
  { tx }: Work,
  keys: AcceptanceKey[],
): Promise<(Acceptance | null)[]> => {
  const found = await tx.arenaAcceptance.findMany({
    where: { OR: keys.map(({ partnerId, gameId }) => ({ partnerId, gameId })) },
    include: { game: true },
  })
  return inOrder(keys, found, nameOf, nameOf)
}

/** The points that have flowed or may flow today, for each acceptance, in one statement. */
export const findTodaysFlows = async (
  { tx, clock }: Work,
  acceptances: AcceptanceKey[],
): Promise<Flow[]> => {
  const day = new Date(dayOf({ createdAt: clock() }))
  const flows = await tx.arenaFlow.findMany({
    where: { day, OR: acceptances.map(({ partnerId, gameId }) => ({ partnerId, gameId })) },
  })
  return acceptances.map(({ partnerId, gameId }) => {
    const flow = flows.find((flow) => flow.partnerId === partnerId && flow.gameId === gameId)
    return { in: flow?.pointsIn ?? 0, out: flow?.pointsOut ?? 0 }
  })
}
