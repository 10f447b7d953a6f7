/** The statement that counts tokens of older master keys. */

import { Prisma } from './generated/prisma/client.ts'
import { returns, statement } from './kit/database/statement.ts'

/** Counts valid tokens that were signed before a version of the master key was in use. */
export const countTokensBefore = statement(
  'count_old_tokens',
  returns({ signIns: 'int', sessions: 'int', lastEndsAt: 'timestamptz?' }),
  (version: number, now: Date, refreshTokenMs: number) => Prisma.sql`
    WITH v AS (SELECT created_at FROM master_key_version WHERE version = ${version}::int
    ), sign_ins AS (
      SELECT expires_at FROM sign_in, v
      WHERE revoked_at IS NULL AND expires_at > ${now}::timestamptz
        AND expires_at < v.created_at + ${refreshTokenMs}::float8 * interval '1 millisecond'
    ), sessions AS (
      SELECT DISTINCT s.id, s.expires_at FROM arena_session s JOIN arena_player p ON p.session_id = s.id, v
      WHERE s.status IN ('WAITING', 'IN_PROGRESS') AND p.joined_at < v.created_at
    )
    SELECT (SELECT count(*) FROM sign_ins)::int AS "signIns",
      (SELECT count(*) FROM sessions)::int AS sessions,
      (SELECT max(expires_at) FROM (SELECT expires_at FROM sign_ins UNION ALL
        SELECT expires_at FROM sessions) e) AS "lastEndsAt"`,
)
