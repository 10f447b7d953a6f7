/**
 * The retention of tables, and the job that deletes older rows. Other tables are kept forever. The ledger, plays and
 * timelines are among them: balances, counts and stages are checked against them (docs/decisions/retention.md).
 */

import { deleteOldEntries } from './accounts/audit-log/audit-log.ts'
import { deleteOldLogs } from './arena/matches/match.sql.ts'
import { deleteOldMoves } from './arena/sessions/move.sql.ts'
import { windows } from './journeys/journey.rules.ts'
import type { Config } from './kit/config/config.ts'
import { ifOwner, makeMonths } from './kit/database/months.ts'
import { deleteOldBy } from './kit/database/old-rows.sql.ts'
import type { Job } from './kit/jobs/job.ts'
import { deleteOldRows, type Kept } from './kit/jobs/old-rows.ts'
import { deleteEndpoints, deleteOldDeliveries } from './webhooks/delivery.sql.ts'
import { deleteOldEvents, eventsStillKept } from './webhooks/event-feed.sql.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const always = (ms: number) => () => ms
/** Days of a setting; 0 is forever. */
const daysOf =
  (setting: (config: Config) => number) =>
  (config: Config): number | null =>
    setting(config) * dayMs || null

/** Deliveries come before their endpoints. */
export const keptRows: Kept[] = [
  {
    what: 'deliveries and their attempts',
    keptMs: daysOf(({ retention }) => retention.deliveryDays),
    deleteOld: deleteOldDeliveries,
    // Their attempts are deleted with them, which takes the embedded database 30 µs each.
    most: 1_000,
  },
  {
    // A statement that was writing deliveries must still find its endpoint.
    what: 'deleted endpoints',
    keptMs: always(hourMs),
    deleteOld: deleteEndpoints,
  },
  {
    what: 'events',
    keptMs: daysOf(({ retention }) => retention.eventDays),
    months: { table: 'event', stillKept: eventsStillKept },
    deleteOld: deleteOldEvents,
  },
  {
    // Matches, their games and ratings stay.
    what: 'moves of matches',
    keptMs: daysOf(({ retention }) => retention.matchEventDays),
    deleteOld: deleteOldLogs,
    most: 20,
  },
  {
    what: 'audit log',
    keptMs: daysOf(({ auditLogDays }) => auditLogDays),
    deleteOld: deleteOldEntries,
  },
  {
    what: 'sign-ins',
    keptMs: daysOf(({ retention }) => retention.signInDays),
    deleteOld: deleteOldBy('SignIn', 'expiresAt'),
  },
  {
    // The answers to requests with an Idempotency-Key.
    what: 'kept answers',
    keptMs: always(dayMs),
    deleteOld: deleteOldBy('IdempotentRequest', 'createdAt'),
  },
  {
    // As long as the longest window of a limit.
    what: 'counted attempts',
    keptMs: always(dayMs),
    deleteOld: deleteOldBy('Throttle', 'since'),
  },
  {
    // One day longer than the longest window.
    what: 'hours of users',
    keptMs: always((windows.long + 1) * dayMs),
    deleteOld: deleteOldBy('UserHour', 'hour'),
  },
  {
    // For subscribers who reconnect.
    what: 'moves between segments',
    keptMs: always(dayMs),
    deleteOld: deleteOldBy('SegmentChange', 'changedAt'),
  },
  {
    // After the end of a session, for players who were away when it came.
    what: 'moves of sessions',
    keptMs: always(10 * minuteMs),
    deleteOld: deleteOldMoves,
  },
  {
    // Longer than the lifetime of any token.
    what: 'revocations of user tokens',
    keptMs: always(25 * hourMs),
    deleteOld: deleteOldBy('UserTokenRevocation', 'revokedAt'),
  },
  { what: 'mail', keptMs: always(0), deleteOld: deleteOldBy('Mail', 'expiresAt') },
  { what: 'spectators', keptMs: always(0), deleteOld: deleteOldBy('ArenaAudience', 'expiresAt') },
  {
    what: 'listeners of users',
    keptMs: always(0),
    deleteOld: deleteOldBy('UserListener', 'expiresAt'),
  },
]

export const retentionJobs: Job[] = [
  {
    name: 'forget-old-rows',
    everySeconds: 60,
    run: (runtime, signal) => deleteOldRows(runtime, keptRows, signal),
  },
  {
    // Ids contain the time of this machine, not of the service's clock.
    name: 'make-months',
    everySeconds: 3_600,
    run: async ({ direct, log }, signal) => {
      const make = () => makeMonths(direct, new Date(), { log, signal })
      const made = await ifOwner({ log }, make)
      if (made.length > 0) log.info({ made }, 'months were made')
    },
  },
]
