/** Statements that read games of chance. */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  statement,
} from '../kit/database/statement.ts'

const keyRows = inputRows({ partnerId: 'uuid', environment: 'Environment', gameType: 'GameType' })

const columns = columnsOf('GameMechanic', 'm')

/** Active mechanics by game type. */
export const selectMechanics = statement(
  'find_mechanics',
  returnsModel('GameMechanic'),
  (keys: ItemsOf<typeof keyRows>) => Prisma.sql`
    SELECT ${columns}
    FROM ${keyRows(keys, 'k')} JOIN game_mechanic m USING (partner_id, environment, game_type)
    WHERE m.status = 'ACTIVE'`,
)

const versionRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  gameType: 'GameType',
  version: 'int',
})

const versionColumns = columnsOf('GameMechanicVersion', 'v')

/** Versions of mechanics by game type and number. */
export const selectMechanicVersions = statement(
  'find_mechanic_versions',
  both(returns({ n: 'int' }), returnsModel('GameMechanicVersion')),
  (keys: ItemsOf<typeof versionRows>) => Prisma.sql`
    SELECT k.n, ${versionColumns}
    FROM ${versionRows(keys, 'k')} JOIN game_mechanic m USING (partner_id, environment, game_type)
    JOIN game_mechanic_version v ON (v.mechanic_id, v.version) = (m.id, k.version)`,
)
