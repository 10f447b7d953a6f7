import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** The order of locks is in decision 0216. */
test('only rows that are deleted or change their key are locked FOR UPDATE', () => {
  const locking = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.startsWith('generated/'))
    .filter((name) => readFileSync(join(src, name), 'utf8').includes('FOR UPDATE'))
  expect(locking.sort()).toEqual([
    'accounts/member.sql.ts',
    'kit/database/old-rows.sql.ts',
    'statistics/statistic-day.sql.ts',
    'users/end-user.sql.ts',
    'webhooks/old-delivery.sql.ts',
  ])
})
