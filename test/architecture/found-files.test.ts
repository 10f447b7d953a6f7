/** The modules that `npm run generate` writes import every file that is found by its name. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const cwd = fileURLToPath(new URL('../../src', import.meta.url))

test.each([
  ['graphql-files.ts', '*/**/*.graphql.ts'],
  ['rest-files.ts', 'rest/{v1,dashboard,admin}/**/*.ts'],
])('every `*.graphql.ts` and every file of REST is found: %s', (name, pattern) => {
  const text = readFileSync(`${cwd}/generated/${name}`, 'utf8')
  const imported = [...text.matchAll(/'\.\.\/([^']+)'/g)].map(([, file]) => file)
  expect(imported, 'run npm run generate').toEqual(globSync(pattern, { cwd }).sort())
})
