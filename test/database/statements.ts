/** The named statements that runs of the tests send to their database, kept for tests of their plans and results. */
import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { onPostgres } from '../postgres.ts'

const statementFolders = fileURLToPath(
  new URL('../../node_modules/.cache/tessera/statements', import.meta.url),
)

/** Emptied when a run on this kind of database begins; each process of the run writes a file. */
export const statementFolder = join(statementFolders, onPostgres ? 'postgres' : 'embedded')

/** A statement that is not prepared has its name in another kind of comment. */
const nameOf = (text: string) => /^(?:\/\*|--) (\w+)/.exec(text)?.[1]

export const isPrepared = ({ text }: { text: string }): boolean => text.startsWith('/*')

const seen = new Set<string>()

const note = (text: string) => {
  if (seen.has(text)) return
  seen.add(text)
  mkdirSync(statementFolder, { recursive: true })
  appendFileSync(join(statementFolder, `${process.pid}.jsonl`), `${JSON.stringify(text)}\n`)
}

/** Records the named statements. */
export const recordStatements = (): void => {
  const record = (client: { query: unknown }) => {
    const query = client.query as (...args: unknown[]) => unknown
    client.query = function (...args: unknown[]) {
      const [config] = args as [string | { text?: string }]
      const text = typeof config === 'string' ? config : config.text
      if (text && nameOf(text)) note(text)
      return query.apply(this, args)
    }
  }
  record(onPostgres ? pg.Client.prototype : PGlite.prototype)
}

/** The statements of the last runs on both kinds of database, each with its name. */
export const readStatements = (): { name: string; text: string }[] => {
  const lines = globSync(`${statementFolders}/*/*.jsonl`).flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').filter(Boolean),
  )
  return [...new Set(lines)].map((line) => {
    const text = JSON.parse(line) as string
    return { name: nameOf(text) as string, text }
  })
}
