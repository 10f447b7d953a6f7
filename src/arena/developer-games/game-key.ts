/** Callers name a game of the arena by its id or its slug. */
import { TesseraError } from '../../kit/errors.ts'
import { inOrder } from '../../kit/in-order.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import type { ArenaGameBy } from './game-input.ts'

/** The ids of games by their slugs, which are unique, in one statement. */
const findGameIds = async ({ tx }: Work, slugs: string[]): Promise<(string | null)[]> => {
  const found = await tx.arenaGame.findMany({
    where: { slug: { in: slugs } },
    select: { id: true, slug: true },
  })
  return inOrder(
    slugs,
    found,
    ({ slug }) => slug,
    (slug) => slug,
  ).map((game) => game?.id ?? null)
}

/**
 * The id of a game of any partner, in any state; null for an unknown slug. It reads nothing when the caller names the id,
 * and does not say whether the caller may see the game.
 */
export const findArenaGameId = async (
  { read }: Pick<Runtime, 'read'>,
  { id, slug }: ArenaGameBy,
): Promise<string | null> => id ?? (await read(findGameIds, slug as string))

/**
 * The same, for a game that must exist.
 * @throws TesseraError ARENA_GAME_NOT_FOUND
 */
export const arenaGameIdOf = async (
  runtime: Pick<Runtime, 'read'>,
  by: ArenaGameBy,
): Promise<string> => {
  const found = await findArenaGameId(runtime, by)
  if (found === null) throw new TesseraError('ARENA_GAME_NOT_FOUND')
  return found
}
