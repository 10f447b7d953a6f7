import { expect, test } from 'vitest'
import { readConfig } from '../../src/kit/config/config.ts'

const url = 'postgresql://u:p@db:5432/tessera'
const [MAIL_FROM, SMTP_URL] = ['Tessera <a@example.com>', 'smtp://mail.example.com:587']
const [ADMIN_EMAIL, ADMIN_PASSWORD] = ['admin@example.com', 'a-long-password-1']

const messageOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** Settings that are refused, the message, and what to change so that they are accepted. */
const conflicts: [Record<string, string>, string, Record<string, string>][] = [
  [
    { MASTER_KEY: 'k'.repeat(32), MASTER_KEYS: `1:${'l'.repeat(32)}` },
    'MASTER_KEY: must not be set together with MASTER_KEYS',
    { MASTER_KEYS: '' },
  ],
  [{ DATABASE_DIRECT_URL: url }, 'DATABASE_URL: must be set, too', { DATABASE_URL: url }],
  [{ DATABASE_READ_URL: url }, 'DATABASE_URL: must be set, too', { DATABASE_URL: url }],
  [
    { DATABASE_URL: url, DATABASE_READ_URL: 'postgresql://u:p@a,b/tessera' },
    'DATABASE_READ_URL: must name one host',
    { DATABASE_READ_URL: url },
  ],
  [{ SMTP_URL }, 'MAIL_FROM: must be set, too', { MAIL_FROM }],
  [{ ADMIN_EMAIL }, 'ADMIN_PASSWORD: must be set, too', { ADMIN_PASSWORD }],
  [{ ADMIN_PASSWORD }, 'ADMIN_EMAIL: must be set, too', { ADMIN_EMAIL }],
  [
    { RETENTION_DELIVERY_DAYS: '31' },
    'RETENTION_DELIVERY_DAYS: must not be longer than RETENTION_EVENT_DAYS',
    { RETENTION_EVENT_DAYS: '31' },
  ],
]

test.each(conflicts)('%o: %s', (env, message, change) => {
  expect(messageOf(env)).toContain(message)
  expect(messageOf({ ...env, ...change })).toBe('')
})
