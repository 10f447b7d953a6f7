import type { EndUser, GameMechanic } from '../generated/prisma/client.ts'
import type { Environment, GameType } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId, UserId } from '../kit/user-id.ts'
import { findUsers, type UserKey } from '../users/end-user.ts'
import { drawFairly, hashOfRules } from './fair-draw.ts'
import type { PlayOutcome, Reward, WeightedReward } from './game.rules.ts'
import { findAndRememberMechanics, recallMechanics } from './mechanic.ts'
import { clientSeedOf, currentSeedOf } from './play-seed.ts'

/** A play in the answer and in the event `game.played` (interface: Play record). */
type GamePlayed = {
  playId: string
  gameType: GameType
  userId: ExternalId
  pointsSpent: number
  /** Balance after the deduction, and before a reward of type `points` is added. */
  userBalance: number
  outcome: PlayOutcome
  reward: Reward
  environment: Environment
  playedAt: Date
}

/** A play that is drawn and not yet written. */
export type DrawnPlay = {
  played: GamePlayed
  tenant: Tenant
  /** The user and the mechanic as they were read. The play is written only if they and the seed have not changed. */
  user: EndUser
  mechanic: GameMechanic
  wallet: Wallet
  playNo: number
  /** Number of the ledger entry that pays. The entry of a reward has the next number. */
  entryNo: number
  rewardEntryId: string | null
  balanceWithReward: number
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

/** A wallet while the plays of the list are drawn. */
type Wallet = {
  user: EndUser
  balance: bigint
  entries: number
  plays: number
  earned: bigint
  won: number
  /** The user after all plays of the list. */
  after: EndUser
}

const nameOf = ({ partnerId, environment, externalId }: UserKey) =>
  `${partnerId} ${environment} ${externalId}`

const userAfter = ({ user, balance, entries, plays, earned, won }: Wallet, at: Date): EndUser => ({
  ...user,
  balance,
  entries,
  lifetimePoints: user.lifetimePoints + earned,
  gamesPlayed: user.gamesPlayed + plays,
  rewardsWon: user.rewardsWon + won,
  score: user.score + earned + BigInt(won + 10 * plays),
  scoreReachedAt: at,
})

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
    if (!user) return
    const { balance, entries } = user
    wallets.set(name, { user, balance, entries, plays: 0, earned: 0n, won: 0, after: user })
  })
  return wallets
}

/**
 * Draws plays in the order of the list. Each play starts with the balance after the previous one. Writes nothing. With
 * `fromMemory`, mechanics are read only if one of them is not cached yet.
 */
export const drawPlays = async (
  work: Work,
  plays: (UserKey & { gameType: GameType })[],
  { fromMemory }: { fromMemory: boolean },
): Promise<Draw[]> => {
  const recalled = fromMemory ? recallMechanics(work, plays) : null
  const [mechanics, wallets] = await Promise.all([
    recalled ?? findAndRememberMechanics(work, plays),
    readWallets(work, plays),
  ])
  const isUnsure = recalled !== null
  const playedAt = work.clock()
  const draws = plays.map((play, i): Draw => {
    const mechanic = mechanics[i]
    const wallet = wallets.get(nameOf(play))
    if (!mechanic) return { refusal: new TesseraError('GAME_MECHANIC_NOT_FOUND') }
    if (!wallet) return { isUnsure, refusal: new TesseraError('USER_NOT_FOUND') }
    const userId = wallet.user.id
    if (wallet.balance < mechanic.pointsToUnlock)
      return { userId, isUnsure, refusal: cannotPay(wallet, mechanic) }
    return { userId, drawn: drawPlay(work, tenantOf(play), mechanic, wallet, playedAt) }
  })
  for (const wallet of wallets.values()) wallet.after = userAfter(wallet, playedAt)
  return draws
}

const drawPlay = (
  work: Work,
  tenant: Tenant,
  mechanic: GameMechanic,
  wallet: Wallet,
  playedAt: Date,
): DrawnPlay => {
  const { user } = wallet
  const { gameType, segments, version } = mechanic
  const rewards = mechanic.rewards as WeightedReward[]
  const nonce = user.gamesPlayed + wallet.plays + 1
  const seed = currentSeedOf(work, user)
  const from = { clientSeed: clientSeedOf(user), nonce, gameType, version }
  const { reward, outcome } = drawFairly(
    seed,
    { ...from, rulesHash: hashOfRules(mechanic) },
    { segments, rewards },
  )
  const credited = reward.type === 'points' ? reward.value : 0
  const entryNo = wallet.entries + 1
  const userBalance = wallet.balance - BigInt(mechanic.pointsToUnlock)
  wallet.balance = userBalance + BigInt(credited)
  wallet.entries += credited > 0 ? 2 : 1
  wallet.plays++
  wallet.earned += BigInt(credited)
  if (reward.value > 0) wallet.won++
  return {
    played: {
      playId: newId(),
      gameType: mechanic.gameType,
      userId: user.externalId,
      pointsSpent: mechanic.pointsToUnlock,
      userBalance: Number(userBalance),
      outcome,
      reward,
      environment: tenant.environment,
      playedAt,
    },
    tenant,
    user,
    mechanic,
    wallet,
    playNo: nonce,
    entryNo,
    rewardEntryId: credited > 0 ? newId() : null,
    balanceWithReward: Number(wallet.balance),
  }
}
