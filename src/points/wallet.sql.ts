/**
 * The one writer of wallets, as a part of statements: `postEntries`. A wallet is the row of its user in `end_user`. Also the
 * statements of other accounts.
 */
import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  type ItemsOf,
  inputRows,
  returns,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'
import { userByKey, userLockOrder, usersByKey } from '../users/end-user.sql.ts'

/**
 * What an entry adds to lifetime points. A reversal subtracts what its entry added, now or when a shortfall is repaid, and
 * so does the entry that takes back a reward; a refund returns what was spent.
 */
const earned = Prisma.sql`CASE WHEN account IN ('reversals', 'shortfalls') OR (account = 'rewards' AND event_type = 'reward_refund')
        THEN least(points, 0)
      WHEN account <> 'issuance' AND event_type LIKE '%\\_refund' THEN 0
      ELSE greatest(points, 0) END`

/** Adds the counts of row `by` to those of a user `u`. */
const addCounts = (by: 'c' | 'excluded'): string => `
        balance = u.balance + ${by}.balance,
        lifetime_points = u.lifetime_points + ${by}.lifetime_points,
        games_played = u.games_played + ${by}.games_played,
        rewards_won = u.rewards_won + ${by}.rewards_won,
        entries = u.entries + ${by}.entries,
        score_reached_at = CASE WHEN ${by}.lifetime_points <> 0 OR ${by}.games_played <> 0
          THEN ${by}.score_reached_at ELSE u.score_reached_at END`

/** What entries say of a user besides points. Users who do not exist are created. All parts are SQL. */
type Profile = {
  /** Columns of `end_user`. */
  columns: string
  /** Their values, as aggregates of a user's entries with the names of the columns. */
  values: string
  /** Assignments to a user `u` from the row `by`. */
  assign(by: 'c' | 'excluded'): string
}

type Posting = {
  at: Date
  /** Number of plays of games of chance among a user's entries, and of those that won, as aggregates in SQL. */
  plays?: string
  wins?: string
  profile?: Profile
  /** Which users `u` get entries. If one does not, because that has changed a moment ago, the statement fails, to be tried again. */
  where?: Prisma.Sql
}

const updateWallets = (where: Prisma.Sql, also = Prisma.empty): Prisma.Sql => Prisma.sql`
      UPDATE end_user u SET ${also}${Prisma.raw(addCounts('c'))}
      FROM change c
      WHERE (u.partner_id, u.environment, u.external_id)
        = (c.partner_id, c.environment, c.external_id) AND ${usersByKey} AND ${where}
      RETURNING u.*`

/**
 * An update by key costs less than an upsert, which looks for the key twice. If somebody is to be created, each is
 * created or locked before the next, in the order in which everybody does it.
 */
const upsertWallets = ({ columns, assign }: Profile, where: Prisma.Sql): Prisma.Sql => {
  const own = Prisma.raw(columns)
  const isKnown = Prisma.sql`NOT EXISTS (SELECT FROM missing) AND ${where}`
  return Prisma.sql`
    missing AS MATERIALIZED (
      SELECT FROM change k WHERE ${userByKey(Prisma.sql`u.id`)} IS NULL LIMIT 1
    ), known AS (${updateWallets(isKnown, Prisma.raw(`${assign('c')},`))}
    ), made AS (
      INSERT INTO end_user AS u (id, partner_id, environment, external_id, ${own}, balance,
        lifetime_points, games_played, rewards_won, entries, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${own}, balance,
        lifetime_points, games_played, rewards_won, entries, score_reached_at, score_reached_at
      FROM change WHERE EXISTS (SELECT FROM missing)
      ON CONFLICT (partner_id, environment, external_id)
        DO UPDATE SET ${Prisma.raw(`${assign('excluded')}, ${addCounts('excluded')}`)} WHERE ${where}
      RETURNING u.*, xmax = 0 AS is_made
    ), wallet AS (SELECT *, false AS is_made FROM known UNION ALL SELECT * FROM made)`
}

/**
 * The part of a statement that moves points: it changes wallets, numbers and balances their entries, and writes the
 * ledger. It refuses nothing: the caller has refused what wallets cannot pay. The statement fails, to be tried again, if
 * a user does not exist and is not to be created.
 *
 * `entries` is a SELECT of (n, id, partner_id, environment, external_id, event_type, points, account, reference,
 * source_id, metadata), which apply in the order of `n`. Other parts can join `wallet`, the users afterwards, and
 * `posted`, the entries with `user_id`, `entry_no`, `balance_after` and `occurred_at`.
 */
export const postEntries = (
  entries: Prisma.Sql,
  { at, plays = '0', wins = '0', profile, where = Prisma.sql`true` }: Posting,
): Prisma.Sql => Prisma.sql`
    entry AS MATERIALIZED (
      SELECT *, row_number() OVER so_far AS nth, sum(points) OVER so_far AS moved,
        count(*) OVER in_all AS moves, sum(points) OVER in_all AS moved_in_all
      FROM (${entries}) e
      WINDOW in_all AS (PARTITION BY partner_id, environment, external_id),
        so_far AS (in_all ORDER BY n)
    ), change AS MATERIALIZED (
      SELECT partner_id, environment, external_id, ${Prisma.raw(
        `${profile ? `${profile.values}, ` : ''}${plays}::int AS games_played, ${wins}::int AS rewards_won`,
      )}, sum(points)::bigint AS balance, sum(${earned})::bigint AS lifetime_points,
        count(*)::int AS entries, ${at}::timestamptz AS score_reached_at
      -- The condition is always true. It makes the planner expect few users and look them up by key, even on an empty database.
      FROM entry WHERE points = points + 0 GROUP BY ${userLockOrder} ORDER BY ${userLockOrder}
    ), ${profile ? upsertWallets(profile, where) : Prisma.sql`wallet AS (${updateWallets(where)})`},
    posted AS MATERIALIZED (
      SELECT e.*, w.id AS user_id, (w.entries - e.moves + e.nth)::int AS entry_no,
        (w.balance - e.moved_in_all + e.moved)::bigint AS balance_after,
        ${at}::timestamptz AS occurred_at
      FROM entry e LEFT JOIN wallet w USING (partner_id, environment, external_id)
      -- A user was erased or blocked while the statement waited for the wallet.
      WHERE CASE WHEN w.id IS NULL THEN must_retry() ELSE true END
    ), ledger AS (
      INSERT INTO ledger_entry (id, partner_id, environment, user_id, entry_no, event_type, points,
        balance_after, account, reference, source_id, metadata, created_at)
      SELECT id, partner_id, environment, user_id, entry_no, event_type, points, balance_after,
        account, reference, source_id, metadata, occurred_at
      FROM posted ORDER BY partner_id, environment, event_type, reference
    )`

/** The fields of a user that entries change. */
export const returnsWallet = returns({
  balance: 'bigint',
  lifetimePoints: 'bigint',
  gamesPlayed: 'int',
  rewardsWon: 'int',
  entries: 'int',
  score: 'bigint',
  scoreReachedAt: 'timestamptz',
})

/** Those of a user `w`. */
export const walletColumns = Prisma.sql`w.balance, w.lifetime_points AS "lifetimePoints",
  w.games_played AS "gamesPlayed", w.rewards_won AS "rewardsWon", w.entries, w.score,
  w.score_reached_at AS "scoreReachedAt"`

/** An entry that was written, and the wallet after the whole list. */
export const returnsPosted = both(
  returns({ n: 'int', userId: 'uuid', entryNo: 'int', balanceAfter: 'bigint' }),
  returnsWallet,
)

/** The entries in their order. */
export const postedRows = Prisma.sql`
    SELECT p.n, p.user_id AS "userId", p.entry_no AS "entryNo", p.balance_after AS "balanceAfter",
      ${walletColumns}
    FROM posted p JOIN wallet w ON w.id = p.user_id ORDER BY p.n`

const movementRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text',
  eventType: 'text',
  points: 'int',
  account: 'text',
  reference: 'text?',
  sourceId: 'text?',
  metadata: 'json?',
})

/** Moves points of users, who are locked and can pay. */
export const insertMovements = statement(
  'move_points',
  returnsPosted,
  (movements: ItemsOf<typeof movementRows>, at: Date) => Prisma.sql`
    WITH ${postEntries(Prisma.sql`SELECT * FROM ${movementRows(movements)}`, { at })} ${postedRows}`,
)

const creditRows = inputRows({
  holder: 'text',
  partnerId: 'uuid',
  environment: 'Environment',
  points: 'int',
})

/** Adds credits to accounts, and creates accounts that do not exist. Returns each account afterwards. */
export const addCredits = statement(
  'credit_accounts',
  returns({ name: 'text', balance: 'bigint', entries: 'int' }),
  (credits: ItemsOf<typeof creditRows>) => Prisma.sql`
    INSERT INTO point_account AS a (name, partner_id, environment, balance, entries)
    SELECT holder, partner_id, environment, sum(points), count(*) FROM ${creditRows(credits, 'c')}
    GROUP BY holder, partner_id, environment ORDER BY holder
    ON CONFLICT (name) DO UPDATE SET balance = a.balance + excluded.balance,
      entries = a.entries + excluded.entries
    RETURNING name, balance, entries`,
)

const accountEntryRows = inputRows({
  id: 'uuid',
  partnerId: 'uuid',
  environment: 'Environment',
  holder: 'text',
  entryNo: 'int',
  eventType: 'text',
  points: 'int',
  balanceAfter: 'bigint',
  account: 'text',
  sourceId: 'text',
})

export const insertAccountEntries = statement(
  'write_account_entries',
  returnsNothing,
  (entries: ItemsOf<typeof accountEntryRows>, createdAt: Date) => Prisma.sql`
    INSERT INTO account_entry (id, partner_id, environment, holder, entry_no, event_type, points,
      balance_after, account, source_id, created_at)
    SELECT id, partner_id, environment, holder, entry_no, event_type, points, balance_after, account,
      source_id, ${createdAt}::timestamptz
    FROM ${accountEntryRows(entries, 'e')}`,
)
