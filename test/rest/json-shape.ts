/** Finds what a schema does not allow in a JSON value, by the part of JSON Schema that our documents use. */

// biome-ignore lint/suspicious/noExplicitAny: a schema of any shape is looked into
type Schema = any

const typeOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What a reference refers to, and one object instead of an extension of others. */
export const whole = (document: Schema, schema: Schema): Schema => {
  if (schema.$ref) {
    const keys = String(schema.$ref).slice(2).split('/')
    return whole(
      document,
      keys.reduce((place, key) => place[key], document),
    )
  }
  if (!schema.allOf) return schema
  const parts: Schema[] = schema.allOf.map((part: Schema) => whole(document, part))
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
  }
}

/**
 * Faults as lines of `path: problem`; none when the value fits. Stricter than JSON Schema in one way:
 * a property that the schema does not name is a fault.
 */
export const shapeFaults = (
  document: Schema,
  schema: Schema,
  value: unknown,
  path = 'body',
): string[] => {
  if (schema.$ref || schema.allOf)
    return shapeFaults(document, whole(document, schema), value, path)
  const alternatives: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (alternatives) {
    const faults = alternatives.map((alternative) =>
      shapeFaults(document, alternative, value, path),
    )
    return faults.some((fault) => fault.length === 0) ? [] : faults.flat()
  }
  const actual = typeOf(value)
  const allowed: string[] | undefined = schema.type && [schema.type].flat()
  if (allowed && !allowed.includes(actual) && !(actual === 'integer' && allowed.includes('number')))
    return [`${path}: ${actual} instead of ${allowed.join(' or ')}`]
  const faults: string[] = []
  if ('const' in schema && schema.const !== value)
    faults.push(`${path}: ${value} is not ${schema.const}`)
  if (schema.enum && value !== null && !schema.enum.includes(value))
    faults.push(`${path}: ${value} is none of ${schema.enum}`)
  if (schema.format === 'date-time' && value !== null && !dateTime.test(String(value)))
    faults.push(`${path}: ${value} is no moment`)
  if (actual === 'array' && schema.items)
    for (const [i, item] of (value as unknown[]).entries())
      faults.push(...shapeFaults(document, schema.items, item, `${path}.${i}`))
  if (actual === 'object' && schema.properties) {
    const object = value as Record<string, unknown>
    for (const name of schema.required ?? [])
      if (!(name in object)) faults.push(`${path}.${name}: is missing`)
    for (const [name, child] of Object.entries(object))
      faults.push(
        ...(schema.properties[name]
          ? shapeFaults(document, schema.properties[name], child, `${path}.${name}`)
          : [`${path}.${name}: is not in the document`]),
      )
  }
  return faults
}
