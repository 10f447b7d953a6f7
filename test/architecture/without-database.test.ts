import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testsWithoutDatabase } from '../without-database.ts'

test('every test that opens a world or starts a server runs on PostgreSQL too', () => {
  const left = testsWithoutDatabase()
  expect(left).toContain('test/golden.test.ts')
  const all = globSync('test/**/*.test.ts')
  const starts = all.filter((file) =>
    /\b(createWorld|createDatabase|startServer|startProgram|createStage)\(/.test(
      readFileSync(file, 'utf8'),
    ),
  )
  expect(starts.length).toBeGreaterThan(100)
  expect(left.filter((file) => starts.includes(file))).toEqual([])
})
