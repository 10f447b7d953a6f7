/** The ends of readers: rows come in any order and once, results in the order of the keys, which may repeat. */

const idOf = (row: unknown): unknown => (row as { id: unknown }).id

/**
 * The row of each key, in the order of the keys; null for a key without a row.
 * @param nameOf the name of a row: its id if omitted. Of several rows with the same name, the last one counts
 * @param nameOfKey the name of a key, by default the key itself
 */
export const inOrder = <K, T>(
  keys: readonly K[],
  found: readonly T[],
  nameOf: (row: T) => unknown = idOf,
  nameOfKey: (key: K, n: number) => unknown = (key) => key,
): (T | null)[] => {
  const byName = new Map(found.map((row) => [nameOf(row), row]))
  return keys.map((key, n) => byName.get(nameOfKey(key, n)) ?? null)
}

/** All rows of each key, in the order of the keys; an empty list for a key without rows. */
export const listsInOrder = <K, T>(
  keys: readonly K[],
  found: readonly T[],
  nameOf: (row: T) => unknown,
  nameOfKey: (key: K, n: number) => unknown = (key) => key,
): T[][] => {
  const byName = Map.groupBy(found, nameOf)
  return keys.map((key, n) => byName.get(nameOfKey(key, n)) ?? [])
}
