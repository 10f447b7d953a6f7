/** Objects of the OpenAPI document that have a name: `title` until they are moved to its components. */
import { isDeepStrictEqual } from 'node:util'
import type { Json } from './answer-schema.ts'

export type NamedObjects = Map<string, Json>

/**
 * The value with a reference in the place of each object that has a title.
 * @param objects receives these objects
 * @throws Error if two different objects have the same name
 */
export const withReferences = (value: unknown, objects: NamedObjects): unknown => {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, objects))
  if (typeof value !== 'object' || value === null) return value
  const schema: Json = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withReferences(child, objects)]),
  )
  const { title, about, type, properties, required, description } = schema
  if (typeof title !== 'string' || !properties) return schema
  const object = {
    ...(about !== '' && { description: about }),
    type: 'object',
    properties,
    required,
  }
  if (!isDeepStrictEqual(objects.get(title) ?? object, object))
    throw new Error(
      `${title} is the name of different objects. Select one of them as a \`fragment\` with a name of its own.\n${JSON.stringify([objects.get(title), object])}`,
    )
  objects.set(title, object)
  const reference = { $ref: `#/components/schemas/${title}` }
  return {
    ...(description !== undefined && { description }),
    // An object that may be null.
    ...(Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference),
  }
}

/** From this number of properties on, an object is extended rather than repeated. */
const minProperties = 8

const isPart = (part: Json, whole: Json): boolean => {
  const all = whole.properties as Json
  const properties = Object.entries(part.properties as Json)
  const isRequired = ({ required }: Json, name: string) => (required as string[]).includes(name)
  return (
    properties.length >= minProperties &&
    properties.length < Object.keys(all).length &&
    properties.every(
      ([name, schema]) =>
        isRequired(part, name) === isRequired(whole, name) && isDeepStrictEqual(schema, all[name]),
    )
  )
}

const sizeOf = ([, { properties }]: [string, Json]) => Object.keys(properties as Json).length

/** The schemas of objects in the order of their names. One that has all properties of another extends it. */
export const schemasOf = (objects: NamedObjects): Json => {
  const bySize = [...objects].sort((a, b) => sizeOf(b) - sizeOf(a) || (a[0] < b[0] ? -1 : 1))
  const schemaOf = (object: Json): Json => {
    const [name, part] = bySize.find(([, item]) => isPart(item, object)) ?? []
    if (!part) return object
    const known = Object.keys(part.properties as Json)
    const isNew = (key: string) => !known.includes(key)
    const own = Object.entries(object.properties as Json).filter(([key]) => isNew(key))
    const required = (object.required as string[]).filter(isNew)
    return {
      description: object.description,
      allOf: [
        { $ref: `#/components/schemas/${name}` },
        { type: 'object', properties: Object.fromEntries(own), required },
      ],
    }
  }
  return Object.fromEntries(
    [...objects]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, object]) => [name, schemaOf(object)]),
  )
}
