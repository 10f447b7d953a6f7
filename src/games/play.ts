import { z } from 'zod'
import type { EndUser, LedgerEntry, Play } from '../generated/prisma/client.ts'
import { GameType } from '../generated/prisma/enums.ts'
import { inTransaction } from '../kit/database/db.ts'
import type { TesseraError } from '../kit/errors.ts'
import { orLocked } from '../kit/group-commit/batch.ts'
import { orOverloaded } from '../kit/group-commit/coalesce.ts'
import type { Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'
import { userAfter } from '../points/wallet.ts'
import { lockUsers, UserBy, type UserKey } from '../users/end-user.ts'
import { type DrawnPlay, drawPlays } from './drawn-play.ts'
import { insertFreePlays, insertPlays, type PlayRow } from './play.sql.ts'

/** A play of a game (interface: POST /v1/games/play). */
export const PlayGame = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    gameType: oneOf('GameType', GameType).describe('The type of game.'),
  })
  .describe('The user who plays, and the game.')

/** `isProven`: whether a secret key, a member or the user's own token plays it. Otherwise a play that cost nothing is no fact. */
type AskedPlay = UserKey & { gameType: GameType; isProven?: boolean }

/** A play that was written, and the user after all plays of the batch. */
export type PlayedGame = {
  play: Play & { user: EndUser; ledgerEntry: LedgerEntry & { user: EndUser } }
  user: EndUser
}

/** The number of attempts without locks on the wallets. Later attempts lock them. */
const optimisticAttempts = 2
/**
 * The number of attempts after which the caller gets OVERLOADED, and nothing is written. Only changes of mechanics
 * can use them all up.
 */
const maxAttempts = 20

/**
 * Plays games: deducts the points, draws, and credits rewards of type `points`. Plays take effect in the order of the
 * list. The whole list takes two reads at most and one write, and one read more if a user has free plays.
 *
 * The result of a refused play is GAME_MECHANIC_NOT_FOUND, USER_NOT_FOUND, USER_BLOCKED or INSUFFICIENT_POINTS, checked
 * in this order. A play is written only if its wallet, its seeds, its mechanic and its free play have not changed since they
 * were read, and its user is not blocked. Other plays are drawn again from the new state.
 */
export const playGames = async (
  work: Work,
  plays: AskedPlay[],
): Promise<(PlayedGame | Error)[]> => {
  const results: (PlayedGame | Error | undefined)[] = plays.map(() => undefined)
  let open = plays.map((play, n) => ({ play, n }))
  for (let attempt = 0; open.length > 0 && attempt < maxAttempts; attempt++) {
    const requested = open.map(({ play }) => play)
    const fromMemory = attempt === 0
    const outcomes = await orLocked(requested, () =>
      attempt < optimisticAttempts
        ? drawAndWrite(work, requested, { fromMemory })
        : withLockedUsers(work, requested, (locked) =>
            drawAndWrite(locked, requested, { fromMemory }),
          ),
    )
    open = open.filter(({ n }, i) => {
      const outcome = outcomes[i]
      if (outcome) results[n] = outcome
      return !outcome
    })
  }
  return orOverloaded(results)
}

/**
 * One attempt. The result is null for a play whose wallet or mechanic has changed since it was read, and for a
 * refusal that followed from such a play or from a mechanic that may have changed.
 */
const drawAndWrite = async (
  work: Work,
  plays: AskedPlay[],
  memory: { fromMemory: boolean },
): Promise<(PlayedGame | Error | null)[]> => {
  const draws = await drawPlays(work, plays, memory)
  const drawn = draws.flatMap((draw) => draw.drawn ?? [])
  const tried = new Set(drawn.map(({ user }) => user.id))
  const playedAt = work.clock()
  const written = new Map<DrawnPlay, PlayedGame>()
  if (drawn.length > 0)
    for (const { n, ...entry } of await writePlays(work, drawn, playedAt)) {
      const play = drawn[n] as DrawnPlay
      written.set(play, playedGame(play, entry, playedAt))
      tried.delete(entry.userId)
    }
  return draws.map(({ drawn, refusal, isUnsure, userId }) => {
    if (isUnsure || (userId && tried.has(userId))) return null
    return drawn ? (written.get(drawn) as PlayedGame) : (refusal as TesseraError)
  })
}

const playedGame = (
  { id, playNo, mechanic, outcome, reward, spent: pointsSpent, grantId, ...drawn }: DrawnPlay,
  { entryNo, balanceAfter, ...entry }: Paid,
  playedAt: Date,
): PlayedGame => {
  const { gameType, version: mechanicVersion } = mechanic
  const user = userAfter(drawn.user, entry)
  const owner = { ...tenantOf(user), userId: user.id }
  const ledgerEntry = {
    id,
    ...owner,
    entryNo,
    eventType: 'game_play',
    points: 0 - pointsSpent,
    account: 'games',
    reference: null,
    balanceAfter,
    sourceId: id,
    createdAt: playedAt,
    metadata: { playId: id, gameType },
  }
  const play = {
    id,
    ...owner,
    playNo,
    gameType,
    pointsSpent,
    outcome,
    playedAt,
    rewardTier: reward.tier,
    rewardType: reward.type,
    rewardValue: reward.value,
    rewardLabel: reward.label,
    mechanicVersion,
    seedNo: user.seedNo,
    grantId,
  }
  return { play: { ...play, user, ledgerEntry: { ...ledgerEntry, user } }, user }
}

/** Runs `act` while the wallets of the players are locked. */
const withLockedUsers = <T>(
  work: Work,
  plays: AskedPlay[],
  act: (work: Work) => Promise<T>,
): Promise<T> =>
  inTransaction(work, async (locked) => {
    await lockUsers(locked, plays)
    return act(locked)
  })

/** Writes drawn plays. Returns the entries that paid for them, of the users whose plays took effect. */
const writePlays = ({ tx }: Work, plays: DrawnPlay[], playedAt: Date) => {
  const versions = new Map(plays.map(({ mechanic }) => [mechanic.id, mechanic.version]))
  const rows = plays.map(playRow)
  const isFree = rows.some(({ grantId }) => grantId)
  return (isFree ? insertFreePlays : insertPlays)(tx, rows, versions, playedAt)
}

type Paid = Omit<Awaited<ReturnType<typeof writePlays>>[number], 'n'>

const playRow = ({ user, mechanic, reward, ...play }: DrawnPlay): PlayRow => ({
  ...play,
  ...reward,
  ...tenantOf(user),
  userId: user.id,
  externalId: user.externalId,
  entriesBefore: user.entries,
  seedNo: user.seedNo,
  gameType: mechanic.gameType,
  mechanicVersion: mechanic.version,
})
