import { hostUrls } from './database-hosts.ts'
import type { SentVariables } from './environment-variables.ts'

/** A line for each setting that contradicts another, or that another requires. */
export const settingConflicts = (e: SentVariables): string[] => {
  const found: [unknown, string][] = [
    [e.MASTER_KEY && e.MASTER_KEYS, 'MASTER_KEY: must not be set together with MASTER_KEYS'],
    [
      (e.DATABASE_DIRECT_URL || e.DATABASE_READ_URL) && !e.DATABASE_URL,
      'DATABASE_URL: must be set, too',
    ],
    [hostUrls(e.DATABASE_READ_URL ?? '').length > 1, 'DATABASE_READ_URL: must name one host'],
    [e.SMTP_URL && !e.MAIL_FROM, 'MAIL_FROM: must be set, too'],
    [e.ADMIN_EMAIL && !e.ADMIN_PASSWORD, 'ADMIN_PASSWORD: must be set, too'],
    [e.ADMIN_PASSWORD && !e.ADMIN_EMAIL, 'ADMIN_EMAIL: must be set, too'],
    [
      e.RETENTION_DELIVERY_DAYS > e.RETENTION_EVENT_DAYS,
      'RETENTION_DELIVERY_DAYS: must not be longer than RETENTION_EVENT_DAYS',
    ],
  ]
  return found.flatMap(([isFound, fault]) => (isFound ? [fault] : []))
}
