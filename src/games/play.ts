import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { oneOf, reference } from '../core/validation.ts'
import { Prisma, type EndUser, type GameMechanic } from '../generated/prisma/client.ts'
import { type Environment, GameType } from '../generated/prisma/enums.ts'
import { trackActivity } from '../users/activity.ts'
import { findUsers } from '../users/end-user.ts'
import { drawOutcome, drawReward, type Outcome, type Reward, type WeightedReward } from './game.rules.ts'
import { findMechanics } from './mechanic.ts'

/** What a widget sends to play (interface: POST /v1/games/play). */
export const PlayGame = z
  .object({
    userId: reference().describe("The partner's id of the user, who must exist."),
    gameType: oneOf('GameType', GameType).describe('Which game.'),
  })
  .describe('One play.')

export type PlayGame = z.output<typeof PlayGame>

export type GamePlayed = {
  playId: string
  gameType: GameType
  userId: string
  pointsSpent: number
  /** Balance after the deduction, and before a reward of type `points` is added. */
  userBalance: number
  outcome: Outcome
  reward: Reward
  environment: Environment
  playedAt: Date
}

/** A wallet while its plays of this batch are worked out, and what of it must still be true when they are written. */
type Wallet = {
  user: EndUser
  balance: bigint
  entries: number
  earned: number
  plays: number
  won: number
}

type DrawnPlay = GamePlayed & { user: EndUser; mechanic: GameMechanic; tenant: Tenant } & {
  playNo: number
  entryNo: number
  rewardEntryId: string | null
  balanceWithReward: bigint
}

const nameOf = ({ partnerId, environment }: Tenant, id: string) =>
  `${partnerId} ${environment} ${id}`

/**
 * Plays games: deducts the points, draws, credits a reward of type `points`. In the order of the list,
 * two reads and one write for all of it.
 *
 * In the place of a refused play stands GAME_MECHANIC_NOT_FOUND, USER_NOT_FOUND or
 * INSUFFICIENT_POINTS, in this order of checks. The write takes effect only for wallets and mechanics
 * that are still as they were read; the plays of the others are drawn again from what is there now.
 */
export const playGames = async (
  work: Work,
  plays: (Tenant & PlayGame)[],
): Promise<(GamePlayed | Error)[]> => {
  const results: (GamePlayed | Error)[] = []
  let open = plays.map((_, n) => n)
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === 20) {
      for (const n of open) results[n] = new TesseraError('OVERLOADED')
      break
    }
    const asked = open.map((n) => plays[n] as Tenant & PlayGame)
    const drawn = await drawPlays(work, asked)
    const good = drawn.filter((play): play is DrawnPlay => !(play instanceof Error))
    const written = good.length > 0 ? await writePlays(work, good) : new Set<string>()
    open = open.filter((n, i) => {
      const play = drawn[i] as DrawnPlay | Error
      if (!(play instanceof Error) && !written.has(play.user.id)) return true
      results[n] = play instanceof Error ? play : publicPart(play)
      return false
    })
  }
  return results
}

const publicPart = ({ playId, gameType, userId, pointsSpent, userBalance, outcome, reward, environment, playedAt }: GamePlayed): GamePlayed => ({
  playId,
  gameType,
  userId,
  pointsSpent,
  userBalance,
  outcome,
  reward,
  environment,
  playedAt,
})

/** Reads what the plays need and works them out one after the other. Writes nothing. */
const drawPlays = async (
  work: Work,
  plays: (Tenant & PlayGame)[],
): Promise<(DrawnPlay | Error)[]> => {
  const mechanics = await findMechanics(work, plays)
  const names = plays.map((play) => nameOf(play, play.userId))
  const distinct = [...new Map(plays.map((play, i) => [names[i], play])).entries()]
  const users = await findUsers(
    work,
    distinct.map(([, play]) => ({ ...tenantOf(play), externalId: play.userId })),
  )
  const wallets = new Map<string, Wallet>()
  distinct.forEach(([name], i) => {
    const user = users[i]
    if (user)
      wallets.set(name as string, {
        user,
        balance: user.balance,
        entries: user.entries,
        earned: 0,
        plays: 0,
        won: 0,
      })
  })
  const playedAt = work.clock()
  return plays.map((play, i) => {
    const mechanic = mechanics[i]
    const wallet = wallets.get(names[i] as string)
    if (!mechanic) return new TesseraError('GAME_MECHANIC_NOT_FOUND')
    if (!wallet) return new TesseraError('USER_NOT_FOUND')
    if (wallet.balance < mechanic.pointsToUnlock) return new TesseraError('INSUFFICIENT_POINTS')
    return drawPlay(work, tenantOf(play), mechanic, wallet, playedAt)
  })
}

const drawPlay = (
  { random }: Work,
  tenant: Tenant,
  mechanic: GameMechanic,
  wallet: Wallet,
  playedAt: Date,
): DrawnPlay => {
  const { user } = wallet
  const reward = drawReward(mechanic.rewards as WeightedReward[], random)
  const outcome = drawOutcome(mechanic.gameType, mechanic.segments, reward, random)
  const credited = reward.type === 'points' ? reward.value : 0
  const userBalance = wallet.balance - BigInt(mechanic.pointsToUnlock)
  const entryNo = wallet.entries + 1
  wallet.balance = userBalance + BigInt(credited)
  wallet.entries += credited > 0 ? 2 : 1
  wallet.earned += credited
  wallet.plays++
  if (reward.value > 0) wallet.won++
  return {
    playId: uuid(),
    gameType: mechanic.gameType,
    userId: user.externalId,
    pointsSpent: mechanic.pointsToUnlock,
    userBalance: Number(userBalance),
    outcome,
    reward,
    environment: tenant.environment,
    playedAt,
    user,
    mechanic,
    tenant,
    playNo: user.gamesPlayed + wallet.plays,
    entryNo,
    rewardEntryId: credited > 0 ? uuid() : null,
    balanceWithReward: wallet.balance,
  }
}

/** Writes drawn plays in one statement; gives the ids of the users whose plays took effect. */
const writePlays = async ({ tx }: Work, plays: DrawnPlay[]): Promise<Set<string>> => {
  const playedAt = (plays[0] as DrawnPlay).playedAt
  const mechanics = new Map(plays.map(({ mechanic }) => [mechanic.id, mechanic.version]))
  const rows = plays.map((play) => ({
    id: play.playId,
    ...{ partner_id: play.tenant.partnerId, environment: play.environment },
    user_id: play.user.id,
    external_id: play.userId,
    entries_before: play.user.entries,
    play_no: play.playNo,
    entry_no: play.entryNo,
    game_type: play.gameType,
    spent: play.pointsSpent,
    balance_after: play.userBalance,
    outcome: play.outcome,
    tier: play.reward.tier,
    type: play.reward.type,
    value: play.reward.value,
    label: play.reward.label,
    reward_entry_id: play.rewardEntryId,
    balance_with_reward: Number(play.balanceWithReward),
    data: publicPart(play),
  }))
  const written = await tx.$queryRaw<{ id: string }[]>`/* play_games */
    WITH input AS MATERIALIZED (
      SELECT *, CASE WHEN reward_entry_id IS NULL THEN 0 ELSE value END AS credited
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", user_id uuid, external_id text, entries_before int, play_no int,
        entry_no int, game_type "GameType", spent int, balance_after bigint, outcome json,
        tier "RewardTier", type "RewardType", value int, label text, reward_entry_id uuid,
        balance_with_reward bigint, data json)
    ), change AS MATERIALIZED (
      SELECT user_id, partner_id, environment, external_id, entries_before,
        sum(credited) AS earned, sum(spent) AS spent, count(*) AS plays,
        count(*) FILTER (WHERE value > 0) AS won, count(*) + count(reward_entry_id) AS entries
      FROM input GROUP BY user_id, partner_id, environment, external_id, entries_before
    ), drawn_from AS (
      SELECT FROM jsonb_each_text(${JSON.stringify(Object.fromEntries(mechanics))}::jsonb) v
      JOIN game_mechanic m ON m.id = v.key::uuid AND m.version = v.value::int
    ), locked AS MATERIALIZED (
      SELECT u.id FROM change c JOIN end_user u ON u.id = c.user_id
      WHERE u.entries = c.entries_before
        AND (SELECT count(*) FROM drawn_from) = ${mechanics.size}::int
      ORDER BY u.partner_id, u.environment, u.external_id FOR UPDATE OF u
    ), wallet AS (
      UPDATE end_user u SET
        balance = u.balance - c.spent + c.earned,
        lifetime_points = u.lifetime_points + c.earned,
        games_played = u.games_played + c.plays,
        rewards_won = u.rewards_won + c.won,
        entries = u.entries + c.entries,
        score = u.score + c.earned + c.won + 10 * c.plays,
        score_reached_at = ${playedAt}::timestamptz
      FROM change c JOIN locked l ON l.id = c.user_id
      WHERE u.id = l.id AND u.entries = c.entries_before
      RETURNING u.id
    ), played AS MATERIALIZED (
      SELECT i.*, ${playedAt}::timestamptz AS occurred_at
      FROM input i JOIN wallet w ON w.id = i.user_id
    ), play AS (
      INSERT INTO play (id, partner_id, environment, user_id, play_no, game_type, points_spent,
        outcome, reward_tier, reward_type, reward_value, reward_label, played_at)
      SELECT id, partner_id, environment, user_id, play_no, game_type, spent, outcome, tier, type,
        value, label, occurred_at FROM played
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, source_id, created_at)
      SELECT id, partner_id, environment, user_id, entry_no, 'game_play', -spent, balance_after,
        'games', id::text, occurred_at FROM played
      UNION ALL
      SELECT reward_entry_id, partner_id, environment, user_id, entry_no + 1, 'game_reward', credited,
        balance_with_reward, 'games', id::text, occurred_at FROM played WHERE credited > 0
    ), activity AS (${trackActivity(
      'GAME_PLAY',
      Prisma.sql`SELECT *, 'game_play' AS event_type, id::text AS source_id, credited - spent AS points,
        json_build_object('gameType', game_type, 'rewardTier', tier, 'rewardType', type,
          'rewardValue', value, 'rewardLabel', label) AS metadata FROM played`,
    )}
    ), event AS (${emit('game.played', Prisma.sql`SELECT * FROM played`)}
    )
    SELECT id FROM wallet`
  return new Set(written.map(({ id }) => id))
}
