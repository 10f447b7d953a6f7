import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { emit } from '../kit/streams/events.ts'
import type { UserId } from '../kit/user-id.ts'
import { postEntries, returnsPosted, walletColumns } from '../points/wallet.sql.ts'
import { grantsByKey } from '../programme/grant.sql.ts'
import { trackActivity } from '../users/activity.ts'
import { isNotBlocked } from '../users/block.sql.ts'
import { usersByKey } from '../users/end-user.sql.ts'
import { isPlayable } from './free-plays.sql.ts'
import { gamePlayed } from './play.events.ts'

const playColumns = {
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  userId: 'uuid',
  externalId: 'text',
  entriesBefore: 'int',
  seedNo: 'int',
  playNo: 'int',
  gameType: 'GameType',
  mechanicVersion: 'int',
  spent: 'int',
  outcome: 'json',
  tier: 'RewardTier',
  type: 'RewardType',
  value: 'int',
  label: 'text',
  rewardEntryId: 'uuid?',
  isProven: 'boolean?',
} as const

const playRows = inputRows(playColumns)
const freePlayRows = inputRows({ ...playColumns, grantId: 'uuid?' })

/** A play to write. `isProven` makes it a fact; `grantId` is of the free play that it is. */
export type PlayRow = ItemsOf<typeof freePlayRows>[number]

/** The payment of each play and, if it won points, the reward. */
const playEntries = Prisma.sql`
      SELECT 2 * n AS n, id, partner_id, environment, external_id, 'game_play' AS event_type,
        -spent AS points, value > 0 AS is_won, 'games' AS account, NULL::text AS reference,
        id::text AS source_id, cause AS metadata FROM played
      UNION ALL
      SELECT 2 * n + 1, reward_entry_id, partner_id, environment, external_id, 'game_reward', credited,
        NULL, 'games', NULL, id::text, cause FROM played WHERE credited > 0`

/** The users whose plays are written, and which grants pay for them. */
type Payers = {
  /** Further parts of the statement, each with a comma before it. */
  parts: Prisma.Sql
  /** The part that has the ids of the users. */
  users: Prisma.Sql
  /** The column of the grant, in the table and of the plays. */
  grantId: Prisma.Sql
}

const onlyWallets: Payers = {
  parts: Prisma.empty,
  users: Prisma.sql`locked`,
  grantId: Prisma.empty,
}

/** Takes free plays of grants, which are locked after the wallets. Leaves out users one of whose grants has too few left. */
const withGrants = (playedAt: Date): Payers => ({
  parts: Prisma.sql`, free AS MATERIALIZED (
      SELECT g.id, g.user_id, g.free_plays_left FROM reward_grant g
      WHERE g.id = ANY (ARRAY(SELECT grant_id FROM input WHERE grant_id IS NOT NULL))
        AND g.user_id = ANY (ARRAY(SELECT id FROM locked)) AND ${isPlayable(playedAt)}
      ORDER BY g.id FOR NO KEY UPDATE
    ), wanted AS MATERIALIZED (
      SELECT user_id, grant_id, count(*)::int AS used FROM input WHERE grant_id IS NOT NULL GROUP BY 1, 2
    ), payer AS MATERIALIZED (
      SELECT l.id FROM locked l WHERE NOT EXISTS (
        SELECT FROM wanted w
        LEFT JOIN free f ON f.id = w.grant_id AND f.user_id = w.user_id AND f.free_plays_left >= w.used
        WHERE w.user_id = l.id AND f.id IS NULL)
    ), taken AS (
      UPDATE reward_grant g SET free_plays_left = g.free_plays_left - w.used
      FROM wanted w JOIN payer p ON p.id = w.user_id WHERE g.id = w.grant_id AND ${grantsByKey}
    )`,
  users: Prisma.sql`payer`,
  grantId: Prisma.sql`, grant_id`,
})

/** @param input the plays */
// Long: one statement.
const writePlays = (
  input: Prisma.Sql,
  versions: ReadonlyMap<string, number>,
  playedAt: Date,
  { parts, users, grantId }: Payers,
) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT *, CASE WHEN reward_entry_id IS NULL THEN 0 ELSE value END AS credited
      FROM ${input}
    ), drawn_from AS (
      SELECT FROM jsonb_each_text(${JSON.stringify(Object.fromEntries(versions))}::jsonb) v
      JOIN game_mechanic m ON m.id = v.key::uuid AND m.version = v.value::int
    ), locked AS MATERIALIZED (
      SELECT u.id FROM (SELECT DISTINCT user_id, entries_before, seed_no FROM input) c
      JOIN end_user u ON u.id = c.user_id
      WHERE u.entries = c.entries_before AND u.seed_no = c.seed_no
        AND u.id = ANY (ARRAY(SELECT user_id FROM input)) AND ${usersByKey}
        AND ${isNotBlocked(playedAt)} AND (SELECT count(*) FROM drawn_from) = ${versions.size}::int
      ORDER BY u.partner_id, u.environment, u.external_id FOR NO KEY UPDATE OF u
    )${parts}, played AS MATERIALIZED (
      SELECT i.*, ${playedAt}::timestamptz AS occurred_at,
        json_build_object('playId', i.id, 'gameType', game_type) AS cause
      FROM input i JOIN ${users} l ON l.id = i.user_id
    ), ${postEntries(playEntries, {
      at: playedAt,
      plays: `count(*) FILTER (WHERE event_type = 'game_play')`,
      wins: 'count(*) FILTER (WHERE is_won)',
    })}, play AS (
      INSERT INTO play (id, partner_id, environment, user_id, play_no, game_type, points_spent,
        outcome, reward_tier, reward_type, reward_value, reward_label, mechanic_version,
        seed_no, played_at${grantId})
      SELECT id, partner_id, environment, user_id, play_no, game_type, spent, outcome, tier, type,
        value, label, mechanic_version, seed_no, occurred_at${grantId} FROM played
    ), activity AS (${trackActivity(
      'GAME_PLAY',
      Prisma.sql`SELECT *, 'game_play' AS event_type, id::text AS source_id, credited - spent AS points,
        json_build_object('gameType', game_type, 'rewardTier', tier, 'rewardType', type,
          'rewardValue', value, 'rewardLabel', label) AS metadata FROM played`,
      {
        earned: Prisma.sql`credited`,
        won: Prisma.sql`value > 0`,
        isPublic: true,
        // Points that were spent prove a play, whoever called.
        fact: Prisma.sql`CASE WHEN (is_proven OR spent > 0) AND value > 0 THEN 'GAME_WON'::"Fact"
          WHEN spent > 0 THEN 'GAME_PLAYED' END`,
      },
    )}
    ), paid AS (
      SELECT p.*, e.balance_after FROM played p JOIN posted e USING (id)
    ), event AS (${emit(
      gamePlayed,
      Prisma.sql`SELECT *, json_build_object('playId', id, 'gameType', game_type,
        'userId', external_id, 'pointsSpent', spent, 'userBalance', balance_after,
        'outcome', outcome, 'reward', json_build_object('tier', tier, 'type', type,
          'value', value, 'label', label), 'environment', environment,
        'playedAt', ${playedAt.toISOString()}::text) AS data FROM paid`,
    )}
    )
    SELECT i.n, p.user_id AS "userId", p.entry_no AS "entryNo", p.balance_after AS "balanceAfter",
      ${walletColumns}
    FROM played i JOIN posted p USING (id) JOIN wallet w ON w.id = p.user_id`

/**
 * Writes plays: wallets, ledger, timelines, events. Skips users whose wallet has another number of entries than
 * `entriesBefore`, those who have replaced their seeds, and those who are blocked. Writes nothing if a mechanic has another version than the
 * plays were drawn from. Returns the entry that paid for each written play, with the index of the play.
 */
export const insertPlays = statement(
  'play_games',
  returnsPosted,
  (plays: PlayRow[], versions: ReadonlyMap<string, number>, playedAt: Date) =>
    writePlays(playRows(plays), versions, playedAt, onlyWallets),
)

/** The same for plays some of which are free plays of grants. Also skips users whose free plays are gone. */
export const insertFreePlays = statement(
  'play_free_games',
  returnsPosted,
  (plays: PlayRow[], versions: ReadonlyMap<string, number>, playedAt: Date) =>
    writePlays(freePlayRows(plays), versions, playedAt, withGrants(playedAt)),
)

/** Keeps the client seed of the current server seed if a play was drawn from it. The user must be locked. */
export const keepSeed = statement(
  'keep_play_seed',
  returnsNothing,
  (userId: UserId, revealedAt: Date) => Prisma.sql`
    INSERT INTO play_seed (user_id, seed_no, partner_id, environment, client_seed, revealed_at)
    SELECT u.id, u.seed_no, u.partner_id, u.environment, u.client_seed, ${revealedAt}::timestamptz
    FROM end_user u JOIN play p ON (p.user_id, p.play_no) = (u.id, u.games_played)
    WHERE u.id = ${userId}::uuid AND p.seed_no = u.seed_no`,
)

/** Switches to the next server seed. A client seed that is null stays the same. */
export const replaceSeed = statement(
  'replace_play_seed',
  returnsNothing,
  (userId: UserId, clientSeed: string | null) => Prisma.sql`
    UPDATE end_user SET seed_no = seed_no + 1, client_seed = coalesce(${clientSeed}::text, client_seed)
    WHERE id = ${userId}::uuid`,
)

/** Switches to the next server seed without a client seed, and removes all that were set. */
export const eraseSeeds = statement(
  'erase_play_seeds',
  returnsNothing,
  (userId: UserId) => Prisma.sql`
    WITH past AS (
      UPDATE play_seed SET client_seed = NULL, is_erased = true
      WHERE user_id = ${userId}::uuid AND client_seed IS NOT NULL
    )
    UPDATE end_user SET seed_no = seed_no + 1, client_seed = NULL WHERE id = ${userId}::uuid`,
  { isPrepared: false },
)

const keyRows = inputRows({ userId: 'uuid', seedNo: 'int' })

const columns = columnsOf('PlaySeed', 's')

/** Seeds that were replaced, with the index `n` of their key in the list. */
export const selectPastSeeds = statement(
  'find_past_seeds',
  both(returns({ n: 'int' }), returnsModel('PlaySeed')),
  (keys: ItemsOf<typeof keyRows>) => Prisma.sql`
    SELECT k.n, ${columns} FROM ${keyRows(keys, 'k')}
    CROSS JOIN LATERAL (SELECT * FROM play_seed
      WHERE (user_id, seed_no) = (k.user_id, k.seed_no) LIMIT 1) s`,
)
