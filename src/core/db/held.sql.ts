/** Partners whose rows jobs leave alone, because they move to another cell or have moved. */
import { Prisma } from '../../generated/prisma/client.ts'
import { returns, statement } from './statement.ts'

/** Their ids, as an array that is read once per statement. */
export const heldPartners = Prisma.sql`ARRAY(
        SELECT id FROM partner WHERE move IN ('HELD', 'ARRIVING', 'MOVED'))`

/** Their ids. */
export const listHeld = statement(
  'held_partners',
  returns({ id: 'uuid' }),
  () => Prisma.sql`SELECT id FROM partner WHERE move IN ('HELD', 'ARRIVING', 'MOVED')`,
)
