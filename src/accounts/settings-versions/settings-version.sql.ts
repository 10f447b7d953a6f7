/** Statements that read versions of settings. */
import { Prisma } from '../../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../../kit/database/statement.ts'

const keyRows = inputRows({ objectId: 'uuid', version: 'int' })

/** Versions by their objects and numbers, each with the settings before it and those of now. */
export const selectSettingsVersions = statement(
  'find_settings_versions',
  returns({
    n: 'int',
    objectId: 'uuid',
    kind: 'text',
    version: 'int',
    settings: 'jsonb',
    memberId: 'uuid?',
    apiKeyId: 'uuid?',
    createdAt: 'timestamptz',
    before: 'jsonb?',
    current: 'jsonb',
    currentVersion: 'int',
  }),
  (keys: ItemsOf<typeof keyRows>) => Prisma.sql`
    SELECT k.n, v.object_id AS "objectId", v.kind, v.version, v.settings, v.member_id AS "memberId",
      v.api_key_id AS "apiKeyId", v.created_at AS "createdAt", b.settings AS before, c.settings AS current,
      c.version AS "currentVersion"
    FROM ${keyRows(keys, 'k')} JOIN kept_settings v ON (v.object_id, v.version) = (k.object_id, k.version)
    LEFT JOIN kept_settings b ON (b.object_id, b.version) = (k.object_id, k.version - 1)
    CROSS JOIN LATERAL (SELECT s.settings, s.version FROM kept_settings s
      WHERE s.object_id = k.object_id ORDER BY s.version DESC LIMIT 1) c`,
)
