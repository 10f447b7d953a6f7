/** Users whose wallets and profiles differ in everything by which lists of users are filtered and ordered. */
import type { EndUser, UserProfile } from '../../src/generated/prisma/client.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import type { World } from '../world.ts'

export type PlantedUser = EndUser & { profile: UserProfile | null }

const values = (list: readonly string[]) =>
  `(ARRAY['${list.join("', '")}'])[1 + n % ${list.length}]`
const stages = values(['new', 'active', 'engaged', 'power_user', 'at_risk', 'churned'])

/** Plants users `u00001` and so on. Many have the same balance, score, and times. Some have no profile data. */
export const plantUsers = async (world: World, tenant: Tenant, count: number): Promise<void> => {
  const { pool } = world.server.database
  const of = [tenant.partnerId, tenant.environment]
  await pool.query({
    text: `INSERT INTO end_user (id, partner_id, environment, external_id, balance, lifetime_points,
        rewards_won, games_played, score_reached_at, created_at)
      SELECT gen_random_uuid(), $1::uuid, $2::"Environment", 'u' || lpad(n::text, 5, '0'), n * 7 % 11,
        n * 5 % 13 * 100, 0, 0, '2026-01-01T00:00:00Z'::timestamptz + n * 3 % 17 * interval '1 minute',
        '2026-01-01T00:00:00Z'::timestamptz + n * 31 % 101 * interval '1 hour'
      FROM generate_series(1, $3::int) n`,
    values: [...of, count],
  })
  await pool.query({
    text: `UPDATE user_profile p SET stage = ${stages}::"LifecycleStage",
        tier = ${values(['casual', 'regular', 'whale'])}::"EngagementTier",
        due_at = '9999-12-31T00:00:00Z',
        country = CASE WHEN n % 5 > 0 THEN 'DE' WHEN n % 2 = 0 THEN 'FR' END,
        device = CASE WHEN n % 3 = 0 THEN 'mobile'::"Device" END,
        source = CASE WHEN n % 4 = 0 THEN 'ad' END,
        tags = CASE WHEN n % 7 = 0 THEN jsonb_build_object('plan', 'p' || n % 2) END,
        identified_at = CASE WHEN n % 8 = 0 THEN '2026-02-01T00:00:00Z'::timestamptz END,
        last_event_at = CASE WHEN n % 3 > 0
          THEN '2026-01-31T00:00:00Z'::timestamptz + n * 13 % 97 * interval '7 minutes' END
      FROM (SELECT id, right(external_id, 5)::int AS n FROM end_user
        WHERE partner_id = $1::uuid AND environment = $2::"Environment") u
      WHERE p.user_id = u.id`,
    values: of,
  })
  await pool.query({
    text: `INSERT INTO counter (partner_id, environment, name, shard, value)
      VALUES ($1::uuid, $2::"Environment", 'users', 0, $3::int)`,
    values: [...of, count],
  })
  // Lists of users are planned for their values, by statistics that autovacuum has not made yet.
  await pool.query({ text: 'ANALYZE end_user, user_profile', values: [] })
}

export const readPlanted = (world: World, tenant: Tenant): Promise<PlantedUser[]> =>
  world.runtime.db.endUser.findMany({
    where: { partnerId: tenant.partnerId, environment: tenant.environment },
    include: { profile: true },
  })

export const lastSeenAt = ({ createdAt, profile }: PlantedUser): Date => {
  const moments = [profile?.lastEventAt, profile?.identifiedAt].filter((moment) => moment != null)
  return moments.length > 0 ? new Date(Math.max(...moments.map(Number))) : createdAt
}

type Key = string | number | bigint

/** What a user is ordered by, ascending, in each order. */
const keysOf: Record<string, (user: PlantedUser) => Key[]> = {
  EXTERNAL_ID: ({ externalId }) => [externalId],
  CREATED_AT: ({ createdAt, id }) => [Number(createdAt), id],
  LAST_SEEN_AT: (user) => [Number(lastSeenAt(user)), user.id],
  BALANCE: ({ balance, id }) => [balance, id],
  LIFETIME_POINTS: ({ lifetimePoints, id }) => [lifetimePoints, id],
  // Of the same score, those who reached it first are the last ones.
  SCORE: ({ score, scoreReachedAt, externalId }) => [
    score,
    -Number(scoreReachedAt),
    -Number(externalId.slice(1)),
  ],
}

export const orderNames = Object.keys(keysOf)

/** The external ids in an order, ascending. */
export const sortedBy = (name: string, users: PlantedUser[]): string[] => {
  const keyed = users.map((user) => ({ user, keys: keysOf[name]?.(user) ?? [] }))
  const compare = (a: Key[], b: Key[]) => {
    const i = a.findIndex((key, i) => key !== b[i])
    return i < 0 ? 0 : (a[i] as Key) < (b[i] as Key) ? -1 : 1
  }
  return keyed.sort((a, b) => compare(a.keys, b.keys)).map(({ user }) => user.externalId)
}
