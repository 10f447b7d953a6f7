/** Statements that read games of chance. */
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  returnsModel,
  statement,
} from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

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
