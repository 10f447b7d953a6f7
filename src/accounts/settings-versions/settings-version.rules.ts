/** What differs between two versions of settings. */

/** Columns by their names in the database. */
export type Settings = Readonly<Record<string, unknown>>

export type Difference = { field: string; from: unknown; to: unknown }

/** Columns with states. A change of a state is not undone: it has mutations of its own. */
const states: readonly string[] = ['status', 'ended_at', 'paused_at']

/** The fields in which two versions differ, in alphabetical order. */
export const differencesOf = (from: Settings, to: Settings): Difference[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .sort()
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))

/** The same without states: what restoring the second version changes. */
export const restorableOf = (from: Settings, to: Settings): Difference[] =>
  differencesOf(from, to).filter(({ field }) => !states.includes(field))
