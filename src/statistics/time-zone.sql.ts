/** Statements about time zones. */

import { Prisma } from '../generated/prisma/client.ts'
import { returns, statement } from '../kit/database/statement.ts'

/** The names of all time zones of the database, in lower case. It has its own list, and reads a file for each. */
export const selectTimeZones = statement(
  'find_time_zones',
  returns({ name: 'text' }),
  () => Prisma.sql`SELECT lower(name) AS name FROM pg_timezone_names`,
  { isPrepared: false },
)
