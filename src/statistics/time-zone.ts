/** Time zones that mean the same here and in the database. */
import { refused } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'
import { canonicalName, namesInDatabase } from '../users/time-zone-names.ts'

/**
 * The canonical name of a time zone, in any letter case. Abbreviations such as `IST` are refused: `Intl` and the database
 * take them for different zones. The database takes even some names of zones, such as `CET`, for abbreviations, so it only
 * gets canonical ones.
 * @throws TesseraError INVALID_PARAMETERS
 */
export const resolveTimeZone = async (
  runtime: Pick<Runtime, 'db' | 'singletons'>,
  name: string,
): Promise<string> => {
  if (name === 'UTC') return name
  const canonical = canonicalName(name)
  const known = canonical === undefined ? undefined : (await namesInDatabase(runtime)()).lower
  if (
    canonical === undefined ||
    !known?.has(name.toLowerCase()) ||
    !known.has(canonical.toLowerCase())
  )
    throw refused('timeZone', 'must be a time zone such as Europe/Paris', 'INVALID_PARAMETERS')
  return canonical
}
