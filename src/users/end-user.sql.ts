/** Statements that find, lock and create users by `externalId`. */
import { Prisma } from '../generated/prisma/client.ts'
import { addToCounter } from '../kit/database/counters.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

/** Every transaction locks and creates users in this order (docs/decisions/lock-order.md). */
export const userLockOrder = Prisma.sql`partner_id, environment, external_id`

/**
 * Always true. Next to a condition on the ids of users `u`, it makes a scan of an empty table cost more than the index,
 * so that a plan cached on a new database stays good for a large one.
 */
export const usersByKey = Prisma.sql`u.entries >= 0 AND u.games_played >= 0`

/** The columns of a user `u`. */
export const userColumns = columnsOf('EndUser', 'u')

/** An `externalId` that cannot be stored becomes null, which matches no user. */
const keyRows = inputRows({ partnerId: 'uuid', environment: 'Environment', externalId: 'text?' })

type Keys = ItemsOf<typeof keyRows>

/**
 * Columns of the user of a row of `k`, as a subquery to join. With LATERAL it is one lookup by key per row. A plain
 * join would read the whole table while the planner has no statistics.
 */
export const userByKey = (
  columns: Prisma.Sql,
  lock = Prisma.empty,
  where = Prisma.sql`true`,
): Prisma.Sql => Prisma.sql`
  (SELECT ${columns} FROM end_user u
    WHERE (u.partner_id, u.environment, u.external_id) = (k.partner_id, k.environment, k.external_id)
      AND ${where}
    LIMIT 1 ${lock})`

/** Locks users. Returns their state after the lock, with the index `n` of their key in the list. */
export const selectUsersForUpdate = lockStatement(
  'lock_users',
  both(returns({ n: 'int' }), returnsModel('EndUser')),
  (keys: Keys) => Prisma.sql`
    SELECT k.n, u.* FROM (SELECT * FROM ${keyRows(keys, 'k')} ORDER BY ${userLockOrder}) k
    CROSS JOIN LATERAL ${userByKey(userColumns, Prisma.sql`FOR NO KEY UPDATE`)} u`,
)

/**
 * Locks users by their ids. Returns their state after the lock, not in the order of the ids.
 * @param withErased whether users with a pseudonym are locked, too
 */
export const selectUsersByIdForUpdate = lockStatement(
  'lock_users_by_id',
  returnsModel('EndUser'),
  (ids: string[], withErased: boolean) => Prisma.sql`
    SELECT ${userColumns} FROM end_user u WHERE u.id = ANY (${ids}::uuid[]) AND ${usersByKey}
      AND (${withErased}::boolean OR u.external_id NOT LIKE 'erased-%')
    ORDER BY u.partner_id, u.environment, u.external_id FOR NO KEY UPDATE`,
)

/** The same for those of them whom nobody else has locked. */
export const trySelectUsersByIdForUpdate = lockStatement(
  'try_to_lock_users_by_id',
  returnsModel('EndUser'),
  (ids: string[]) => Prisma.sql`
    SELECT ${userColumns} FROM end_user u WHERE u.id = ANY (${ids}::uuid[]) AND ${usersByKey}
    ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED`,
)

/** Aborts the transaction, which is tried again. */
export const abortToRetry = statement(
  'abort_to_retry',
  returns({ isAborted: 'boolean' }),
  () => Prisma.sql`SELECT must_retry() AS "isAborted"`,
  { isPrepared: false },
)

/** Locks those of some users whom nobody else has locked. Returns their ids. */
export const selectFreeUsersForUpdate = lockStatement(
  'lock_free_users',
  returns({ id: 'uuid' }),
  (ids: string[]) => Prisma.sql`
    SELECT u.id FROM end_user u WHERE u.id = ANY (${ids}::uuid[]) AND ${usersByKey}
    ORDER BY u.partner_id, u.environment, u.external_id FOR NO KEY UPDATE SKIP LOCKED`,
)

/**
 * Locks a user whose key is about to change, or who is about to be blocked. It also waits for those who only refer to the
 * user, such as a tracked event or a lottery ticket, and makes later ones wait.
 */
export const selectUserAlone = lockStatement(
  'lock_user_alone',
  returns({ id: 'uuid' }),
  (key: Keys[number]) => Prisma.sql`
    SELECT u.id FROM ${keyRows([key], 'k')}
    CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR UPDATE`)} u`,
)

/** Counts the rows of `made`. */
const countMade = addToCounter(
  'users',
  Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM made GROUP BY 1, 2`,
)

const namedRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  externalId: 'text?',
  isMade: 'boolean',
})

/**
 * Locks users, and creates those who do not exist and are to be made. Each is locked or created before the next: an
 * upsert that changes nothing locks a user whom somebody else has just created. Returns the users as
 * they are after the lock, with the index `n` of their key in the list.
 */
export const lockOrInsertUsers = lockStatement(
  'lock_or_make_users',
  both(returns({ n: 'int' }), returnsModel('EndUser')),
  (users: ItemsOf<typeof namedRows>, createdAt: Date) => Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM ${namedRows(users)} WHERE external_id IS NOT NULL
    ), made AS (
      INSERT INTO end_user AS e (id, partner_id, environment, external_id, score_reached_at,
        created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${createdAt}::timestamptz,
        ${createdAt}::timestamptz
      FROM (SELECT partner_id, environment, external_id, bool_or(is_made) AS is_made
        FROM input GROUP BY ${userLockOrder} ORDER BY ${userLockOrder}) k
      LEFT JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR NO KEY UPDATE`)} u ON true
      -- As one expression, so that nobody is left out before the lock.
      WHERE CASE WHEN u.id IS NULL THEN is_made ELSE false END
      ON CONFLICT (partner_id, environment, external_id)
        DO UPDATE SET created_at = e.created_at WHERE false
      RETURNING e.*
    ), counted AS (${countMade})
    SELECT k.n, ${userColumns} FROM input k JOIN made u USING (partner_id, environment, external_id)
    UNION ALL
    SELECT k.n, u.* FROM (SELECT * FROM input ORDER BY ${userLockOrder}) k
    CROSS JOIN LATERAL ${userByKey(userColumns, Prisma.sql`FOR NO KEY UPDATE`)} u
    -- Always true, and known only when all are locked.
    WHERE (SELECT count(*) FROM made) >= 0`,
)

/** Creates the users who do not exist. Locks nobody else. */
export const insertMissingUsers = statement(
  'make_users',
  returnsNothing,
  (keys: Keys, createdAt: Date) => Prisma.sql`
    WITH made AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${createdAt}::timestamptz,
        ${createdAt}::timestamptz
      FROM (SELECT DISTINCT partner_id, environment, external_id FROM ${keyRows(keys, 'k')}
        WHERE external_id IS NOT NULL) k
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO NOTHING
      RETURNING partner_id, environment
    )
    ${countMade}`,
)

/** Returns users with the index `n` of their key in the list. */
export const selectUsers = statement(
  'find_users',
  both(returns({ n: 'int' }), returnsModel('EndUser')),
  (keys: Keys) => Prisma.sql`
    SELECT k.n, u.* FROM ${keyRows(keys, 'k')} CROSS JOIN LATERAL ${userByKey(userColumns)} u`,
)

/**
 * The keys of users whose rows others have locked, by their index in the list. It waits for no lock, and holds its own
 * only while it runs.
 */
export const selectLockedUsers = statement(
  'find_locked_users',
  returns({ n: 'int' }),
  (keys: Keys) => Prisma.sql`
    WITH known AS MATERIALIZED (
      SELECT k.n, u.id FROM ${keyRows(keys, 'k')} CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`)} u
    ), free AS MATERIALIZED (
      SELECT u.id FROM end_user u WHERE u.id = ANY (ARRAY(SELECT id FROM known)) AND ${usersByKey}
      FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT n FROM known WHERE NOT EXISTS (SELECT FROM free WHERE free.id = known.id)`,
)

/** A prefix in the form in which terms are stored. */
const prefixOf = (text: string): Prisma.Sql =>
  Prisma.sql`left(lower(${text}::text), 64) COLLATE "C"`

/** A term that begins with a text. No term contains a character after the last one of Unicode. */
export const beginsWith = (term: Prisma.Sql, text: string): Prisma.Sql =>
  Prisma.sql`${term} >= ${prefixOf(text)} AND ${term} < ${prefixOf(text)} || chr(1114111)`

/** The terms of a user `u`, as `term`. */
export const termsOfUser = Prisma.raw(
  'user_terms(u.external_id, u.display_name, u.email) AS own(term)',
)
