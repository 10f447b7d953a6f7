/**
 * The SHA-256 of each migration, in the format of `sha256sum --check prisma/migrations.sha256`. Migrations never
 * change.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { migrationNames, readMigration } from '../src/kit/database/migration-state.ts'

const file = new URL('../prisma/migrations.sha256', import.meta.url)

const lineOf = (name: string) => {
  const sum = createHash('sha256').update(readMigration(name).sql).digest('hex')
  return `${sum}  prisma/migrations/${name}/migration.sql`
}

const nameOf = (line: string) => line.split('/').at(-2) ?? ''

const readLines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** The problems of the migrations, as text. */
export const migrationFaults = (): string[] => {
  const lines = readLines()
  const names = migrationNames()
  const known = new Set(lines.map(nameOf))
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => `Migration ${name} is new: run \`npm run golden\`.`),
    ...lines
      .filter((line) => !names.includes(nameOf(line)) || lineOf(nameOf(line)) !== line)
      .map(
        (line) =>
          `Migration ${nameOf(line)} has been merged and must stay as it was: undo the change, and write a new one with \`npm run migration:new NAME\`. (One that is not merged yet: delete its line of prisma/migrations.sha256, and run \`npm run golden\`.)`,
      ),
  ]
}

/** Adds the migrations that are not listed yet, and keeps existing lines. */
export const addMigrationSums = (): void => {
  const lines = readLines()
  const known = new Set(lines.map(nameOf))
  const added = migrationNames().filter((name) => !known.has(name))
  if (added.length === 0) return
  writeFileSync(file, [...lines, ...added.map(lineOf), ''].join('\n'))
  console.log('Wrote prisma/migrations.sha256')
}
