/** The names of time zones. The database and Node have a list each. */
import { refused } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import { text } from '../kit/validation.ts'
import { selectTimeZoneNames } from './time-zone.sql.ts'

type NamesOfDatabase = {
  /** All, in lower case. */
  lower: Set<string>
  /** As they are written, without those that the database takes for abbreviations. */
  exact: Set<string>
}

/** The names that the database knows, read once. */
export const namesInDatabase = singleton('time zones', ({ db }: Pick<Runtime, 'db'>) => {
  const read = async (): Promise<NamesOfDatabase> => {
    const rows = await selectTimeZoneNames(db)
    const own = rows.filter(({ isAbbreviation }) => !isAbbreviation)
    return {
      lower: new Set(rows.map(({ name }) => name.toLowerCase())),
      exact: new Set(own.map(({ name }) => name)),
    }
  }
  let names: Promise<NamesOfDatabase> | undefined
  return () => {
    names ??= read().catch((err) => {
      names = undefined
      throw err
    })
    return names
  }
})

/** The canonical name of a zone in Node; undefined if Node does not know it. */
export const canonicalName = (name: string): string | undefined => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** What Node says of names that the database knows. */
const knownToNode = singleton('time zones of Node', () => new Map<string, boolean>())

/** Whether a name, exactly as it is written, is that of a zone which the database and Node both know. */
const isTimeZone = async (
  runtime: Pick<Runtime, 'db' | 'singletons'>,
  name: string,
): Promise<boolean> => {
  const known = knownToNode(runtime)
  const before = known.get(name)
  if (before !== undefined) return before
  const { exact } = await namesInDatabase(runtime)()
  if (!exact.has(name)) return false
  const isKnown = canonicalName(name) !== undefined
  known.set(name, isKnown)
  return isKnown
}

/** The name of a time zone in an input; `checkTimeZone` looks it up. */
export const timeZoneName = () => text(64).meta({ graphql: 'TimeZone' })

/**
 * Checks a time zone of an input. Nothing is looked up when none is given, or an empty text, which unsets it.
 * @throws TesseraError VALIDATION_FAILED
 */
export const checkTimeZone = async (
  runtime: Pick<Runtime, 'db' | 'singletons'>,
  { timeZone }: { timeZone?: string | null | undefined },
): Promise<void> => {
  if (timeZone && !(await isTimeZone(runtime, timeZone)))
    throw refused('timeZone', 'must be the name of a time zone, such as Europe/Paris')
}
