/** The rows that were asked for by their ids, in the order of the ids; null where there is none. */
export const inOrder = <T extends { id: string }>(
  ids: readonly string[],
  found: readonly T[],
): (T | null)[] => {
  const byId = new Map(found.map((one) => [one.id, one]))
  return ids.map((id) => byId.get(id) ?? null)
}
