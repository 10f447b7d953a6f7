import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const files = ['src', 'console'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated/'))
    .map((file) => join(folder, file)),
)

const exported = /^export (?:async )?(?:const|let|class|type|interface|function\*?) (\w+)/gm

const filesOf = Map.groupBy(
  files.flatMap((file) => {
    // A schema and its type share one name, and so do the overloads of a function.
    const names = readFileSync(join(root, file), 'utf8').matchAll(exported)
    return [...new Set([...names].map(([, name]) => String(name)))].map((name) => ({ name, file }))
  }),
  ({ name }) => name,
)

/** Names that several files export on purpose, and why. */
const deliberate: Record<string, string> = {
  LiveChange: 'the server sends it, and the pages of spectators declare what they receive',
  MatchEvent: 'the server sends it, and the pages of spectators declare what they receive',
  look: 'each game of the pages exports its own, and they are found by folder',
}

test('an exported name has one meaning', () => {
  expect(filesOf.size).toBeGreaterThan(1_000)
  const shared = [...filesOf].filter(([, places]) => places.length > 1)
  expect(shared.map(([name]) => name).sort()).toEqual(Object.keys(deliberate))
})
