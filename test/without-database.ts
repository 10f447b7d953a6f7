import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'

const folder = import.meta.dirname + sep

/** The files of test/ that a file imports. */
const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((path) => path.startsWith(folder) && existsSync(path))

const asksForDatabase = (file: string, seen: Set<string>): boolean => {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (/TEST_DATABASE|TEST_POSTGRES_URL/.test(text)) return true
  return importsOf(file, text).some((path) => asksForDatabase(path, seen))
}

/**
 * Test files that do the same on every database: no file of test/ that they import asks for the database of the run,
 * as `world.ts` does.
 */
export const testsWithoutDatabase = (): string[] =>
  globSync('**/*.test.ts', { cwd: folder })
    .filter((file) => !asksForDatabase(folder + file, new Set()))
    .map((file) => `test/${file}`)
