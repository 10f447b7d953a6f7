/** The named statements that a run of the tests sends to PostgreSQL, kept for tests of their plans and results. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Emptied when a run begins; each process of the run writes a file. */
export const statementFolder = fileURLToPath(
  new URL('../../node_modules/.cache/tessera/statements', import.meta.url),
)

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
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text?: string }]
    const text = typeof config === 'string' ? config : config.text
    if (text && nameOf(text)) note(text)
    return query.apply(this, args as never)
  } as never
}

/** The statements of all processes of the last run, each with its name. */
export const readStatements = (): { name: string; text: string }[] => {
  const files = existsSync(statementFolder) ? readdirSync(statementFolder) : []
  const lines = files.flatMap((file) =>
    readFileSync(join(statementFolder, file), 'utf8').split('\n').filter(Boolean),
  )
  return [...new Set(lines)].map((line) => {
    const text = JSON.parse(line) as string
    return { name: nameOf(text) as string, text }
  })
}
