/** Brings objects of an answer into other answers that have the same objects. */

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The objects of an answer that have an id, by it. */
export const objectsIn = (value: unknown, found = new Map<string, Fields>()) => {
  if (!isObject(value)) return found
  if (typeof value['id'] === 'string')
    found.set(value['id'], { ...found.get(value['id']), ...value })
  for (const part of Object.values(value)) objectsIn(part, found)
  return found
}

/**
 * The same value with the new values of fields that it has of these objects. Lists and objects in them stay, because the
 * other answer may have asked for another part of them. Parts that have not changed are the same.
 */
export const withObjects = <T>(value: T, objects: ReadonlyMap<string, Fields>): T => {
  if (!isObject(value)) return value
  const id = (value as Fields)['id']
  const changed = typeof id === 'string' ? objects.get(id) : undefined
  let isSame = true
  const entries = Object.entries(value).map(([name, old]) => {
    const given = changed && Object.hasOwn(changed, name) ? changed[name] : old
    const part = isObject(old) || isObject(given) ? withObjects(old, objects) : given
    if (part !== old) isSame = false
    return [name, part] as const
  })
  if (isSame) return value
  return (Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)) as T
}
