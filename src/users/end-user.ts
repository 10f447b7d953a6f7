import type { z } from 'zod'
import { addToCounter } from '../core/counters.ts'
import { TesseraError } from '../core/errors.ts'
import { nodeId, oneKey } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { isStorable, reference } from '../core/validation.ts'
import { type EndUser, Prisma } from '../generated/prisma/client.ts'

export type UserKey = Tenant & { externalId: string }

export const UserBy = oneKey({
  id: nodeId('User').describe('The id, global or UUID.'),
  externalId: reference().describe("The partner's id of the user."),
})
  .meta({ graphql: 'UserBy' })
  .describe('A user, by one of these.')

export type UserBy = z.output<typeof UserBy>

/** Locks on users are taken in this order, everywhere, so that no two writers wait for each other. */
export const userLockOrder = Prisma.sql`partner_id, environment, external_id`

/** The columns of a user `u`. */
export const userColumns = Prisma.sql`
  u.id, u.partner_id AS "partnerId", u.environment, u.external_id AS "externalId",
  u.display_name AS "displayName", u.email, u.metadata, u.balance,
  u.lifetime_points AS "lifetimePoints", u.games_played AS "gamesPlayed",
  u.rewards_won AS "rewardsWon", u.display_name_by_secret AS "displayNameBySecret",
  u.email_by_secret AS "emailBySecret", u.metadata_by_secret AS "metadataBySecret", u.entries, u.score, u.score_reached_at AS "scoreReachedAt",
  u.created_at AS "createdAt"`

/** The keys as a relation `k`, for a statement; those that no stored text can equal are left out. */
const keysTable = (keys: UserKey[]) => {
  const rows = keys.flatMap(({ partnerId, environment, externalId }, n) =>
    isStorable(externalId)
      ? { n, partner_id: partnerId, environment, external_id: externalId }
      : [],
  )
  return Prisma.sql`json_to_recordset(${JSON.stringify(rows)}::json)
    AS k (n int, partner_id uuid, environment "Environment", external_id text)`
}

/**
 * Columns of the user that a row of `k` names, as a subquery to join with. Joined LATERAL, it is one look
 * by key for each row. A plain join reads the whole table where the planner has no statistics yet.
 */
export const userByKey = (columns: Prisma.Sql, lock = Prisma.empty): Prisma.Sql => Prisma.sql`
  (SELECT ${columns} FROM end_user u
    WHERE (u.partner_id, u.environment, u.external_id) = (k.partner_id, k.environment, k.external_id)
    LIMIT 1 ${lock})`

/** Keeps users from being changed by others until the transaction ends. */
export const lockUsers = async ({ tx }: Work, keys: UserKey[]): Promise<void> => {
  await tx.$queryRaw`/* lock_users */
    SELECT u.id FROM (SELECT * FROM ${keysTable(keys)} ORDER BY ${userLockOrder}) k
    CROSS JOIN LATERAL ${userByKey(Prisma.sql`u.id`, Prisma.sql`FOR UPDATE`)} u`
}

/** Makes those users who do not exist, in one statement, in the order of locks. */
export const makeUsers = async ({ tx, clock }: Work, keys: UserKey[]): Promise<void> => {
  const now = clock()
  await tx.$executeRaw`/* make_users */
    WITH made AS (
      INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at, created_at)
      SELECT gen_random_uuid(), partner_id, environment, external_id, ${now}::timestamptz,
        ${now}::timestamptz
      FROM (SELECT DISTINCT partner_id, environment, external_id FROM ${keysTable(keys)}) k
      ORDER BY ${userLockOrder}
      ON CONFLICT (partner_id, environment, external_id) DO NOTHING
      RETURNING partner_id, environment
    )
    ${addToCounter(
      'users',
      Prisma.sql`SELECT partner_id, environment, count(*) AS amount FROM made GROUP BY 1, 2`,
    )}`
}

/** Reads users by the partner's ids, in one statement; null for those who do not exist. */
export const findUsers = async ({ tx }: Work, keys: UserKey[]): Promise<(EndUser | null)[]> => {
  const rows = await tx.$queryRaw<(EndUser & { n: number })[]>`/* find_users */
    SELECT k.n, u.* FROM ${keysTable(keys)} CROSS JOIN LATERAL ${userByKey(userColumns)} u`
  const users: (EndUser | null)[] = keys.map(() => null)
  for (const { n, ...user } of rows) users[n] = user
  return users
}

/** Reads users by our ids; null for those who do not exist or belong to others. */
const findUsersById = async (
  { tx }: Work,
  keys: (Tenant & { id: string })[],
): Promise<(EndUser | null)[]> => {
  const found = await tx.endUser.findMany({ where: { id: { in: keys.map(({ id }) => id) } } })
  const users = new Map(found.map((user) => [user.id, user]))
  return keys.map(({ id, partnerId, environment }) => {
    const user = users.get(id)
    return user?.partnerId === partnerId && user.environment === environment ? user : null
  })
}

/** The user of a play, a participant, …, who is there as long as they are. */
export const userOf = async (
  { read }: Pick<Runtime, 'read'>,
  { userId, ...row }: Tenant & { userId: string },
): Promise<EndUser> => (await read(findUsersById, { ...tenantOf(row), id: userId })) as EndUser

/** The user that a caller names, or null. */
export const findUserBy = (
  { read }: Pick<Runtime, 'read'>,
  tenant: Tenant,
  { id, externalId = '' }: UserBy,
): Promise<EndUser | null> =>
  id
    ? read(findUsersById, { ...tenantOf(tenant), id })
    : read(findUsers, { ...tenantOf(tenant), externalId })

/**
 * The partner's id of the user that a caller names; nothing is read where it is that which they name.
 * @throws TesseraError USER_NOT_FOUND for an id of nobody
 */
export const externalIdOf = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  by: UserBy,
): Promise<string> => {
  if (by.externalId !== undefined) return by.externalId
  const user = await findUserBy(runtime, tenant, by)
  if (!user) throw new TesseraError('USER_NOT_FOUND')
  return user.externalId
}
