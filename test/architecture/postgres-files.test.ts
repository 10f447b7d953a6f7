import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { postgresFiles } from '../postgres-files.ts'

const listed = new Set(globSync(postgresFiles))

const namesOf = (pattern: string): string[] => {
  const [braces, names] = /\{(.*)\}/.exec(pattern) ?? []
  return names && braces ? names.split(',').map((name) => pattern.replace(braces, name)) : [pattern]
}

test('every name in the files for PostgreSQL matches a file', () => {
  for (const name of postgresFiles.flatMap(namesOf)) expect(globSync(name), name).not.toEqual([])
})

test('every file with a test for PostgreSQL only runs there', () => {
  const files = globSync('test/**/*.test.ts', {
    exclude: ['test/{e2e,survival,database,architecture}/**'],
  })
  const asking = files.filter((file) => /\bonPostgres\b/.test(readFileSync(file, 'utf8')))
  expect(asking.length).toBeGreaterThan(20)
  expect(asking.filter((file) => !listed.has(file))).toEqual([])
})
