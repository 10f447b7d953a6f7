/** Rows in the order of the requested ids; null for a missing row. */
export const inOrder = <T extends { id: string }>(
  ids: readonly string[],
  found: readonly T[],
): (T | null)[] => {
  const byId = new Map(found.map((one) => [one.id, one]))
  return ids.map((id) => byId.get(id) ?? null)
}
