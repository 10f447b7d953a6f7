/** The whole API as text. It is kept in the repository, so that changes are visible in reviews. */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { migrationNames, readMigration } from '../src/kit/database/migration-state.ts'
import { eventDataType } from '../src/kit/schema/event-data.ts'
import { sdlOf } from '../src/kit/schema/sdl.ts'
import { type EventKind, listEventKinds } from '../src/kit/streams/events.ts'
import { openapi } from '../src/rest/openapi.ts'
import { routes } from '../src/rest/routes.ts'
import { schema } from '../src/schema.ts'
import { cachesText } from './caches-guide.ts'
import { errorsText } from './errors-guide.ts'

const routesText = () =>
  routes
    .map(({ method, path, key, takesSecret, summary }) =>
      [
        method.padEnd(6),
        path.padEnd(36),
        key.padEnd(6),
        `${summary}${takesSecret ? '. Also takes a secret key' : ''}`,
      ].join('  '),
    )
    .join('\n')

const eventText = ({ type, description, example }: EventKind) => `## ${type}

${description} In GraphQL: \`${eventDataType(type)?.name}\`.

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`

const eventsText = () => `# Events

The \`data\` of each event that [webhooks](webhooks.md) deliver. \`openapi.json\` has the schema of each under
\`webhooks\`. Keys may be added: ignore unknown ones.

${listEventKinds().map(eventText).join('\n')}`

/** How many levels an object has, itself included. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(levelsOf))
    : 0

/** JSON with each parameter, property and answer on a line. */
const jsonText = (value: unknown, indent = '\n'): string => {
  if (levelsOf(value) < 4) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent} `
  const lines = Object.entries(value as object)
    .filter(([, child]) => child !== undefined)
    .map(([key, child]) => `${isList ? '' : `${JSON.stringify(key)}:`}${jsonText(child, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  return `${open}${inner}${lines.join(`,${inner}`)}${indent}${close}`
}

/** Contents by file name. */
export const goldenFiles = (): Record<string, string> => ({
  'schema.graphql': sdlOf(schema),
  'docs/caches.md': cachesText(schema),
  'docs/errors.md': errorsText(),
  'docs/events.md': eventsText(),
  'docs/routes.txt': `${routesText()}\n`,
  'openapi.json': `${jsonText(openapi(schema, '/'))}\n`,
})

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
