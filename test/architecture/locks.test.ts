import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** The texts of the sources, by name. */
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|sql)$/.test(name) && !name.startsWith('generated/'))
  .map((name): [name: string, text: string] => [name, readFileSync(join(src, name), 'utf8')])

/** How often each file of the sources has a text. */
const filesWith = (text: string) =>
  sources
    .map(([name, content]) => [name, content.split(text).length - 1])
    .filter(([, count]) => count !== 0)
    .sort()

/**
 * The order of locks is in docs/decisions/lock-order.md. Neighbours that were looked for: every statement that locks
 * rows, in all domains.
 */
test('only rows that are deleted or change their key are locked FOR UPDATE', () => {
  expect(filesWith('FOR UPDATE')).toEqual([
    ['accounts/member.sql.ts', 1],
    ['campaigns/campaign.sql.ts', 1],
    ['kit/database/expired-rows.sql.ts', 1],
    ['statistics/statistic.sql.ts', 1],
    ['users/end-user.sql.ts', 1],
    ['webhooks/delivery.sql.ts', 1],
  ])
})

/** Neighbours that were looked for: mutations that are neither batched nor audited, and jobs. */
test('every transaction that writes is started by inTransaction, which retries it', () => {
  expect(filesWith('$transaction(')).toEqual([
    // Only reads.
    ['arena/matches/event.ts', 1],
    ['kit/database/db.ts', 1],
  ])
})

/** Whether a lock is of one row by its id, or of rows in an order. The order stands close before it. */
const isOrdered = (before: string) =>
  /WHERE (\w+\.)?\w+ = \$\{\w+\}::uuid\s*$/.test(before) ||
  before
    .slice(-400)
    .replace(/OVER \([^)]*\)/g, '')
    .includes('ORDER BY')

/** Which rows come first is in test/kit/lock-order.test.ts, for those that others take, too. */
test('every statement that waits for the locks of several rows takes them in an order', () => {
  const locks = /FOR (?:NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)\b(?! (?:OF \w+ )?SKIP LOCKED)/g
  const unordered = sources.flatMap(([name, text]) =>
    [...text.matchAll(locks)]
      .filter(({ index }) => !isOrdered(text.slice(0, index)))
      .map(() => name),
  )
  expect(unordered.sort()).toEqual([
    // One row each, by its slug, its id and its state, and by the key of a user.
    'campaigns/campaign.sql.ts',
    'campaigns/campaign.sql.ts',
    'lotteries/tree.sql.ts',
    'users/end-user.sql.ts',
  ])
})
