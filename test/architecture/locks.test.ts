import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** The order of locks is in decision 0216. */
test('only rows that are deleted or change their key are locked FOR UPDATE', () => {
  const locking = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.startsWith('generated/'))
    .map((name) => [name, readFileSync(join(src, name), 'utf8').split('FOR UPDATE').length - 1])
    .filter(([, count]) => count !== 0)
  expect(locking.sort()).toEqual([
    ['accounts/member.sql.ts', 1],
    ['kit/database/old-rows.sql.ts', 1],
    ['statistics/statistic.sql.ts', 1],
    ['users/end-user.sql.ts', 1],
    ['webhooks/delivery.sql.ts', 1],
  ])
})
