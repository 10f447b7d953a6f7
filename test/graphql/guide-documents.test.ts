/** Every GraphQL block of the documentation is a document of its own, valid for the schema. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { extendSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const files = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})

/** The blocks of a file, also those inside of lists, with the lines where they begin. */
const blocksOf = (file: string) => {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  return [...text.matchAll(/^ *```graphql.*\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: block }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    text: block ?? '',
  }))
}

const blocks = files.flatMap(blocksOf)

/** What the recipes add to the schema before they show an operation. */
const extended = extendSchema(schema, parse('extend enum ArenaAgentGameType { NIM }'))

test('all guides with operations are found', () => {
  const found = new Set(blocks.map(({ place }) => place.split(':')[0]))
  for (const name of ['graphql', 'pages', 'recipes', 'arena', 'user-tokens', 'webhooks'])
    expect(found).toContain(`docs/${name}.md`)
})

test.each(blocks)('$place is a valid document', ({ place, text }) => {
  const known = place.startsWith('docs/recipes.md') ? extended : schema
  expect(validate(known, parse(text)).map(({ message }) => message)).toEqual([])
})

test('two anonymous operations in one block are found', () => {
  const faults = validate(schema, parse('{ games { name } } mutation { signOut { __typename } }'))
  expect(faults.map(({ message }) => message)).toContain(
    'This anonymous operation must be the only defined operation.',
  )
})
