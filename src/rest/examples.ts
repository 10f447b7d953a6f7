/** Examples of requests and answers in the OpenAPI document, made of one value for each name. */
import { createHash } from 'node:crypto'
import type { Json } from './answer-schema.ts'
import { exampleBodies } from './example-bodies.ts'
import { exampleValues, ofObject } from './example-values.ts'
import type { Route } from './route.ts'

/** A UUID that is always the same for a name. */
const uuidOf = (name: string): string => {
  const digest = createHash('sha256').update(name).digest('hex')
  return `019bf0c2-5a00-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}

const isUuid = (name: string, { format }: Json) =>
  format === 'uuid' || name === 'id' || name.endsWith('Id')

const leafOf = (schema: Json, name: string): unknown => {
  const types = [schema.type].flat()
  if (schema.format === 'date-time') return '2026-11-22T07:00:00.000Z'
  if (types.includes('string')) return isUuid(name, schema) ? uuidOf(name) : 'text'
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1
  if (types.includes('boolean')) return true
  return types.includes('object') || schema.type === undefined ? {} : null
}

const fits = (value: unknown, schema: Json): boolean => {
  const { enum: values, type, anyOf, oneOf, properties, items = {} } = schema
  if (values) return (values as unknown[]).includes(value)
  if (anyOf || oneOf || properties) return false
  const types = [type].flat()
  if (type === undefined) return typeof value === 'object' && !Array.isArray(value)
  if (value === null) return types.includes('null')
  if (Array.isArray(value))
    return types.includes('array') && value.every((item) => fits(item, items as Json))
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  return types.includes(typeof value)
}

type ObjectSchema = { title?: string; properties: Record<string, Json>; required?: string[] }

/** An example of a schema. @param name of the field. @param title of the object around it */
export const exampleOf = (schema: Json, name = '', title = ''): unknown => {
  if ('const' in schema) return schema.const
  const own = ofObject[title]?.[name]
  if (own !== undefined) return own
  const known = exampleValues[name]
  if (known !== undefined && fits(known, schema)) return known
  const [first] = (schema.oneOf ?? schema.anyOf ?? []) as Json[]
  if (first) return exampleOf(first, name, title)
  if (schema.enum) return (schema.enum as unknown[])[0]
  if (schema.items) return [exampleOf(schema.items as Json, name, title)]
  if (!schema.properties) return leafOf(schema, name)
  const { title: ownTitle, properties, required } = schema as ObjectSchema
  // Null for a field that may be absent and is never null: the example leaves it out.
  const isAbsent = (key: string, child: Json) =>
    !required?.includes(key) && ofObject[ownTitle ?? title]?.[key] === null && !fits(null, child)
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key, child]) => !isAbsent(key, child))
      .map(([key, child]) => [key, exampleOf(child, key, ownTitle ?? title)]),
  )
}

/** A request body that a route takes. */
export const bodyExample = ({ method, path }: Route, body: Json): unknown =>
  exampleBodies[`${method} ${path}`] ?? exampleOf(body, '', `${method} ${path}`)

/** The answer of a route, with the schema of its own part of the envelope. */
export const answerExample = ({ message, status }: Route, envelope: Json): unknown => ({
  ...(message && { message, code: status, status: 'success' }),
  ...(exampleOf(envelope) as Json),
})
