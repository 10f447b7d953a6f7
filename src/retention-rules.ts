/**
 * The retention of tables, and the job that deletes older rows. Other tables are kept forever. The ledger, plays and
 * timelines are among them: balances, counts and stages are checked against them (docs/decisions/retention.md).
 */

import { deleteExpiredEntries } from './accounts/audit-log/audit-log.ts'
import { deleteExpiredLogs } from './arena/matches/match.sql.ts'
import { deleteExpiredMoves } from './arena/sessions/move.sql.ts'
import { windows } from './journeys/journey.rules.ts'
import type { Config } from './kit/config/config.ts'
import { deleteExpiredBy } from './kit/database/expired-rows.sql.ts'
import { ifOwner, makeMonths } from './kit/database/months.ts'
import { deleteExpiredRows, type Kept } from './kit/jobs/expired-rows.ts'
import type { Job } from './kit/jobs/job.ts'
import { deleteEndpoints, deleteExpiredDeliveries } from './webhooks/delivery.sql.ts'
import { deleteExpiredEvents, eventsToKeep } from './webhooks/event-feed.sql.ts'

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
export const retentionRules: Kept[] = [
  {
    what: 'deliveries and their attempts',
    keptMs: daysOf(({ retention }) => retention.deliveryDays),
    deleteOld: deleteExpiredDeliveries,
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
    months: { table: 'event', stillKept: eventsToKeep },
    deleteOld: deleteExpiredEvents,
  },
  {
    // Matches, their games and ratings stay.
    what: 'moves of matches',
    keptMs: daysOf(({ retention }) => retention.matchEventDays),
    deleteOld: deleteExpiredLogs,
    most: 20,
  },
  {
    what: 'audit log',
    keptMs: daysOf(({ auditLogDays }) => auditLogDays),
    deleteOld: deleteExpiredEntries,
  },
  {
    what: 'sign-ins',
    keptMs: daysOf(({ retention }) => retention.signInDays),
    deleteOld: deleteExpiredBy('SignIn', 'expiresAt'),
  },
  {
    // The answers to requests with an Idempotency-Key.
    what: 'kept answers',
    keptMs: always(dayMs),
    deleteOld: deleteExpiredBy('IdempotentRequest', 'createdAt'),
  },
  {
    // As long as the longest window of a limit.
    what: 'counted attempts',
    keptMs: always(dayMs),
    deleteOld: deleteExpiredBy('Throttle', 'since'),
  },
  {
    // One day longer than the longest window.
    what: 'hours of users',
    keptMs: always((windows.long + 1) * dayMs),
    deleteOld: deleteExpiredBy('UserHour', 'hour'),
  },
  {
    // For subscribers who reconnect.
    what: 'moves between segments',
    keptMs: always(dayMs),
    deleteOld: deleteExpiredBy('SegmentChange', 'changedAt'),
  },
  {
    // After the end of a session, for players who were away when it came.
    what: 'moves of sessions',
    keptMs: always(10 * minuteMs),
    deleteOld: deleteExpiredMoves,
  },
  {
    // Longer than the lifetime of any token.
    what: 'revocations of user tokens',
    keptMs: always(25 * hourMs),
    deleteOld: deleteExpiredBy('UserTokenRevocation', 'revokedAt'),
  },
  { what: 'mail', keptMs: always(0), deleteOld: deleteExpiredBy('Mail', 'expiresAt') },
  {
    what: 'spectators',
    keptMs: always(0),
    deleteOld: deleteExpiredBy('ArenaAudience', 'expiresAt'),
  },
  {
    what: 'listeners of users',
    keptMs: always(0),
    deleteOld: deleteExpiredBy('UserListener', 'expiresAt'),
  },
]

export const retentionJobs: Job[] = [
  {
    name: 'forget-old-rows',
    everySeconds: 60,
    run: (runtime, signal) => deleteExpiredRows(runtime, retentionRules, signal),
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
