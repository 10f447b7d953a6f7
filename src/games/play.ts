import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { oneOf } from '../core/validation.ts'
import { type EndUser, type LedgerEntry, type Play, Prisma } from '../generated/prisma/client.ts'
import { GameType } from '../generated/prisma/enums.ts'
import { trackActivity } from '../users/activity.ts'
import { lockUsers, UserBy } from '../users/end-user.ts'
import { type DrawnPlay, drawPlays } from './drawn-play.ts'

/** What a widget sends to play (interface: POST /v1/games/play). */
export const PlayGame = z
  .object({
    user: UserBy.describe('Who plays; they must exist.'),
    gameType: oneOf('GameType', GameType).describe('Which game.'),
  })
  .describe('One play.')

type AskedPlay = Tenant & { externalId: string; gameType: GameType }

/** What a play wrote, and the user as all plays of the batch leave them. */
export type PlayedGame = {
  play: Play & { user: EndUser; ledgerEntry: LedgerEntry & { user: EndUser } }
  user: EndUser
}

/** So often may other writers come first before the wallets are locked. */
const optimisticAttempts = 2
/** So often may the mechanics change under the plays; then a caller gets OVERLOADED, and nothing was written. */
const maxAttempts = 20

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
  plays: AskedPlay[],
): Promise<(PlayedGame | Error)[]> => {
  const results: (PlayedGame | Error)[] = plays.map(() => new TesseraError('OVERLOADED'))
  let open = plays.map((play, n) => ({ play, n }))
  for (let attempt = 0; open.length > 0 && attempt < maxAttempts; attempt++) {
    const asked = open.map(({ play }) => play)
    const outcomes = await (attempt < optimisticAttempts
      ? drawAndWrite(work, asked)
      : withLockedUsers(work, asked, (locked) => drawAndWrite(locked, asked)))
    open = open.filter(({ n }, i) => {
      const outcome = outcomes[i]
      if (outcome) results[n] = outcome
      return !outcome
    })
  }
  return results
}

/**
 * One attempt. Null in the place of a play whose wallet or mechanic has changed since it was read; a
 * refusal that followed from such a play does not count either.
 */
const drawAndWrite = async (
  work: Work,
  plays: AskedPlay[],
): Promise<(PlayedGame | Error | null)[]> => {
  const draws = await drawPlays(work, plays)
  const drawn = draws.flatMap((draw) => draw.drawn ?? [])
  const tried = new Set(drawn.map(({ user }) => user.id))
  const written = drawn.length > 0 ? await writePlays(work, drawn) : tried
  return draws.map(({ drawn, refusal, userId }) => {
    if (userId && tried.has(userId) && !written.has(userId)) return null
    return drawn ? playedGame(drawn) : (refusal as TesseraError)
  })
}

/** The rows of a play that was written. */
const playedGame = ({ played, tenant, playNo, entryNo, wallet }: DrawnPlay): PlayedGame => {
  const { playId: id, gameType, pointsSpent, outcome, reward, playedAt } = played
  const user = wallet.after
  const owner = { ...tenantOf(tenant), userId: user.id }
  const ledgerEntry = {
    id,
    ...owner,
    ...{ entryNo, eventType: 'game_play', points: -pointsSpent, account: 'games', reference: null },
    ...{ balanceAfter: BigInt(played.userBalance), sourceId: id, createdAt: playedAt },
    metadata: { playId: id, gameType },
  }
  const play = {
    id,
    ...owner,
    ...{ playNo, gameType, pointsSpent, outcome, playedAt },
    rewardTier: reward.tier,
    rewardType: reward.type,
    rewardValue: reward.value,
    rewardLabel: reward.label,
  }
  return { play: { ...play, user, ledgerEntry: { ...ledgerEntry, user } }, user }
}

/** Does something while nobody else can change the wallets of the players. */
const withLockedUsers = <T>(
  work: Work,
  plays: AskedPlay[],
  act: (work: Work) => Promise<T>,
): Promise<T> =>
  inTransaction(work.tx, async (tx) => {
    await lockUsers({ ...work, tx }, plays)
    return act({ ...work, tx })
  })

/** Writes drawn plays in one statement; gives the ids of the users whose plays took effect. */
const writePlays = async ({ tx }: Work, plays: DrawnPlay[]): Promise<Set<string>> => {
  const { playedAt } = (plays[0] as DrawnPlay).played
  const mechanics = new Map(plays.map(({ mechanic }) => [mechanic.id, mechanic.version]))
  const rows = plays.map(({ played, ...play }) => ({
    id: played.playId,
    partner_id: play.tenant.partnerId,
    environment: play.tenant.environment,
    user_id: play.user.id,
    entries_before: play.user.entries,
    play_no: play.playNo,
    entry_no: play.entryNo,
    game_type: played.gameType,
    spent: played.pointsSpent,
    balance_after: played.userBalance,
    outcome: played.outcome,
    ...played.reward,
    reward_entry_id: play.rewardEntryId,
    balance_with_reward: play.balanceWithReward,
    data: played,
  }))
  const written = await tx.$queryRaw<{ id: string }[]>`/* play_games */
    WITH input AS MATERIALIZED (
      SELECT *, CASE WHEN reward_entry_id IS NULL THEN 0 ELSE value END AS credited
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", user_id uuid, entries_before int, play_no int,
        entry_no int, game_type "GameType", spent int, balance_after bigint, outcome json,
        tier "RewardTier", type "RewardType", value int, label text, reward_entry_id uuid,
        balance_with_reward bigint, data json)
    ), change AS MATERIALIZED (
      SELECT user_id, entries_before,
        sum(credited) AS earned, sum(spent) AS spent, count(*) AS plays,
        count(*) FILTER (WHERE value > 0) AS won, count(*) + count(reward_entry_id) AS entries
      FROM input GROUP BY user_id, entries_before
    ), drawn_from AS (
      SELECT FROM jsonb_each_text(${JSON.stringify(Object.fromEntries(mechanics))}::jsonb) v
      JOIN game_mechanic m ON m.id = v.key::uuid AND m.version = v.value::int
    ), locked AS MATERIALIZED (
      SELECT u.id FROM change c JOIN end_user u ON u.id = c.user_id
      WHERE u.entries = c.entries_before AND u.id = ANY (ARRAY(SELECT user_id FROM change))
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
      SELECT i.*, ${playedAt}::timestamptz AS occurred_at,
        json_build_object('playId', i.id, 'gameType', game_type) AS fact
      FROM input i JOIN wallet w ON w.id = i.user_id
    ), play AS (
      INSERT INTO play (id, partner_id, environment, user_id, play_no, game_type, points_spent,
        outcome, reward_tier, reward_type, reward_value, reward_label, played_at)
      SELECT id, partner_id, environment, user_id, play_no, game_type, spent, outcome, tier, type,
        value, label, occurred_at FROM played
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, source_id, metadata, created_at)
      SELECT id, partner_id, environment, user_id, entry_no, 'game_play', -spent, balance_after,
        'games', id::text, fact, occurred_at FROM played
      UNION ALL
      SELECT reward_entry_id, partner_id, environment, user_id, entry_no + 1, 'game_reward', credited,
        balance_with_reward, 'games', id::text, fact, occurred_at FROM played WHERE credited > 0
    ), activity AS (${trackActivity(
      'GAME_PLAY',
      Prisma.sql`SELECT *, 'game_play' AS event_type, id::text AS source_id, credited - spent AS points,
        json_build_object('gameType', game_type, 'rewardTier', tier, 'rewardType', type,
          'rewardValue', value, 'rewardLabel', label) AS metadata FROM played`,
      { earned: Prisma.sql`credited`, won: Prisma.sql`value > 0`, isPublic: true },
    )}
    ), event AS (${emit('game.played', Prisma.sql`SELECT * FROM played`)}
    )
    SELECT id FROM wallet`
  return new Set(written.map(({ id }) => id))
}
