import type { EndUser, GameMechanic } from '../generated/prisma/client.ts'
import type { GameType } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Work } from '../kit/runtime.ts'
import type { UserId } from '../kit/user-id.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { findUsers, type UserKey } from '../users/end-user.ts'
import { drawFairly, hashOfRules } from './fair-draw.ts'
import { type FreePlays, findFreePlays } from './free-plays.sql.ts'
import type { PlayOutcome, Reward, WeightedReward } from './game.rules.ts'
import { findAndRememberMechanics, recallMechanics } from './mechanic.ts'
import { clientSeedOf, currentSeedOf } from './play-seed.ts'

/** A play that is drawn and not yet written. */
export type DrawnPlay = {
  id: string
  /** The user and the mechanic as they were read. The play is written only if they and the seed have not changed. */
  user: EndUser
  mechanic: GameMechanic
  playNo: number
  outcome: PlayOutcome
  reward: Reward
  rewardEntryId: string | null
  isProven: boolean
  /** Points that it costs. */
  spent: number
  /** The grant whose free play it is; null for none. */
  grantId: string | null
}

/** The result of drawing a play: drawn, or refused. */
type Draw = {
  drawn?: DrawnPlay
  refusal?: TesseraError
  /** The mechanic came from memory, so the refusal must be checked against the database. */
  isUnsure?: boolean
  /** The user whose wallet decided the result; undefined when it depended on no wallet. */
  userId?: UserId
}

/** A wallet while the plays of the list are drawn. Free plays come in the order in which they are used. */
type Wallet = { user: EndUser; balance: bigint; plays: number; freePlays: FreePlays[] }

const nameOf = ({ partnerId, environment, externalId }: UserKey) =>
  `${partnerId} ${environment} ${externalId}`

const cannotPay = ({ balance }: Wallet, { pointsToUnlock }: GameMechanic) =>
  new TesseraError('INSUFFICIENT_POINTS', { balance: Number(balance), price: pointsToUnlock })

const readWallets = async (work: Work, plays: UserKey[]) => {
  const players = [...new Map(plays.map((play) => [nameOf(play), play])).entries()]
  const users = await findUsers(
    work,
    players.map(([, player]) => player),
  )
  const wallets = new Map<string, Wallet>()
  players.forEach(([name], i) => {
    const user = users[i]
    if (user) wallets.set(name, { user, balance: user.balance, plays: 0, freePlays: [] })
  })
  await readFreePlays(work, [...wallets.values()])
  return wallets
}

/** Reads the free plays of those who may have some. Nobody else waits for it. */
const readFreePlays = async ({ tx, clock }: Work, wallets: Wallet[]): Promise<void> => {
  const now = clock()
  const mayHave = new Map(
    wallets
      .filter(({ user: { freePlaysUntil } }) => freePlaysUntil !== null && freePlaysUntil > now)
      .map((wallet) => [wallet.user.id, wallet]),
  )
  if (mayHave.size === 0) return
  for (const free of await findFreePlays(tx, [...mayHave.keys()], now))
    mayHave.get(free.userId)?.freePlays.push(free)
}

/** Takes the free play of a game that ends first; null if there is none. */
const takeFreePlay = ({ freePlays }: Wallet, gameType: GameType): string | null => {
  const free = freePlays.find((play) => play.gameType === gameType && play.left > 0)
  if (!free) return null
  free.left--
  return free.grantId
}

/**
 * Draws plays in the order of the list. Each play starts with the balance after the previous one. Writes nothing. With
 * `fromMemory`, mechanics are read only if one of them is not cached yet.
 */
export const drawPlays = async (
  work: Work,
  plays: (UserKey & { gameType: GameType; isProven?: boolean })[],
  { fromMemory }: { fromMemory: boolean },
): Promise<Draw[]> => {
  const recalled = fromMemory ? recallMechanics(work, plays) : null
  const [mechanics, wallets] = await Promise.all([
    recalled ?? findAndRememberMechanics(work, plays),
    readWallets(work, plays),
  ])
  const isUnsure = recalled !== null
  const now = work.clock()
  return plays.map((play, i): Draw => {
    const mechanic = mechanics[i]
    const wallet = wallets.get(nameOf(play))
    if (!mechanic) return { refusal: new TesseraError('GAME_MECHANIC_NOT_FOUND') }
    if (!wallet) return { isUnsure, refusal: new TesseraError('USER_NOT_FOUND') }
    const userId = wallet.user.id
    if (isBlocked(wallet.user, now)) return { userId, isUnsure, refusal: userBlocked() }
    const grantId = mechanic.pointsToUnlock > 0 ? takeFreePlay(wallet, play.gameType) : null
    if (grantId === null && wallet.balance < mechanic.pointsToUnlock)
      return { userId, isUnsure, refusal: cannotPay(wallet, mechanic) }
    const from = { isProven: play.isProven ?? false, grantId }
    return { userId, drawn: drawPlay(work, mechanic, wallet, from) }
  })
}

const drawPlay = (
  work: Work,
  mechanic: GameMechanic,
  wallet: Wallet,
  { isProven, grantId }: Pick<DrawnPlay, 'isProven' | 'grantId'>,
): DrawnPlay => {
  const { user } = wallet
  const { gameType, segments, version } = mechanic
  const rewards = mechanic.rewards as WeightedReward[]
  const playNo = user.gamesPlayed + wallet.plays + 1
  const seed = currentSeedOf(work, user)
  const from = { clientSeed: clientSeedOf(user), nonce: playNo, gameType, version }
  const { reward, outcome } = drawFairly(
    seed,
    { ...from, rulesHash: hashOfRules(mechanic) },
    { segments, rewards },
  )
  const credited = reward.type === 'points' ? reward.value : 0
  const spent = grantId === null ? mechanic.pointsToUnlock : 0
  wallet.balance += BigInt(credited - spent)
  wallet.plays++
  const rewardEntryId = credited > 0 ? newId() : null
  const paid = { isProven, spent, grantId }
  return { id: newId(), user, mechanic, playNo, outcome, reward, rewardEntryId, ...paid }
}
