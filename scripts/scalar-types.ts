/** The scalars of the schema in TypeScript, as `docs/graphql.md` gives them to partners. */
import { readFileSync } from 'node:fs'

const guide = readFileSync(new URL('../docs/graphql.md', import.meta.url), 'utf8')

export const scalarTypes: Record<string, string> = JSON.parse(
  /```json scalars\n([^`]*)```/.exec(guide)?.[1] ?? '',
)
