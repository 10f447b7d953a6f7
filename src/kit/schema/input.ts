/** GraphQL inputs generated from the schemas that validate them, so that the two cannot disagree. */
import type { EnumRef, InputRef } from '@pothos/core'
import { z } from 'zod'
import { rights } from '../access/rights.ts'
import { builder, type FieldMaker, type Types, untypedBuilder } from './builder.ts'
import { defaultIn, limitText } from './input-text.ts'

type Schema = z.core.$ZodType

/** The name of a value that rows and REST have in lower case. */
export const inUpperCase = (value: string) => value.toUpperCase().replaceAll('.', '_')

const enums = new Map<string, object>()
const inputs = new Map<z.core.$ZodObject | string, object>()

/**
 * Registers an enum under its GraphQL name; `oneOf(name, …)` in an input schema refers to it.
 * @param nameOf the name of a value, for values that rows and REST call otherwise
 * @param listed the values that REST lists unless others are asked for (`@listed` in a route)
 */
export const enumType = <const T extends string>(
  name: string,
  description: string,
  values: Record<T, string>,
  {
    nameOf = (value) => value,
    listed,
  }: { nameOf?: (value: T) => string; listed?: readonly string[] } = {},
): EnumRef<Types, T, T> => {
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries<string>(values).map(([value, description]) => [
        nameOf(value as T),
        { value, description, ...(listed && { extensions: { isListed: listed.includes(value) } }) },
      ]),
    ),
  }) as unknown as EnumRef<Types, T, T>
  enums.set(name, ref)
  return ref
}

/** The schema inside `nullish`, `optional`, `pipe` and the like, and whether a value is required. */
export const unwrap = (schema: Schema): { schema: Schema; required: boolean } => {
  const { def } = schema._zod as {
    def: { type: string; innerType?: Schema; in?: Schema; out?: Schema }
  }
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return { schema: unwrap(def.innerType as Schema).schema, required: false }
    case 'pipe':
      // `z.preprocess` is a pipe whose output schema describes the input.
      return unwrap((def.in?._zod.def.type === 'transform' ? def.out : def.in) as Schema)
    default:
      return { schema, required: true }
  }
}

const descriptionOf = (schema: Schema): string => {
  const { description } = z.globalRegistry.get(schema) ?? {}
  const { innerType } = schema._zod.def as { innerType?: Schema }
  return description ?? (innerType ? descriptionOf(innerType) : '')
}

/** The GraphQL type for a schema of a field. */
const typeOf = (schema: Schema, name: string): unknown => {
  const { def } = schema._zod as { def: { type: string; element?: Schema } }
  switch (def.type) {
    case 'string': {
      const { graphql = 'String' } = z.globalRegistry.get(schema) ?? {}
      return enums.get(String(graphql)) ?? graphql
    }
    case 'number':
      return z.globalRegistry.get(schema)?.graphql ?? 'Int'
    case 'literal':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'date':
      return 'DateTime'
    case 'custom': {
      // A list whose items are checked one by one, later.
      const { item, graphql = 'JSON' } = z.globalRegistry.get(schema) ?? {}
      return item ? [typeOf(item as Schema, name)] : graphql
    }
    case 'enum': {
      const { graphql } = z.globalRegistry.get(schema) ?? {}
      const ref = enums.get(String(graphql))
      if (!ref) throw new Error(`${name}: no enum ${graphql} has been registered`)
      return ref
    }
    case 'array':
      return [typeOf(unwrap(def.element as Schema).schema, name)]
    case 'object':
      return inputType(String(z.globalRegistry.get(schema)?.graphql ?? name), schema as z.ZodObject)
    default:
      throw new Error(`${name}: an input cannot have a field of kind ${def.type}`)
  }
}

export const capital = (text: string) => text[0]?.toUpperCase() + text.slice(1)

/**
 * The GraphQL input of a schema. REST reads the schema from the type's extensions to report all invalid
 * fields of a body, where GraphQL would stop at the first.
 */
export const inputType = <S extends z.ZodObject>(
  name: string,
  schema: S,
): InputRef<z.output<S>> => {
  const { graphql, isOneOf = false } = z.globalRegistry.get(schema) ?? {}
  // Copies of a named schema that differ in their description are the same type.
  const identity = graphql === undefined ? schema : String(graphql)
  const known = inputs.get(identity)
  if (known) return known as InputRef<z.output<S>>
  const ref = untypedBuilder.inputRef<InputRef<z.output<S>>>(name)
  inputs.set(identity, ref)
  ref.implement({
    description: descriptionOf(schema) || undefined,
    isOneOf: isOneOf === true,
    extensions: { schema },
    fields: (t: FieldMaker) =>
      fieldsOf(name.replace(/Input$/, ''), schema, (field) => t.field(field)),
  })
  return ref
}

type Field = {
  type: unknown
  required: boolean
  description: string
  extensions: object
  defaultValue?: unknown
}

const fieldsOf = <F>(owner: string, schema: z.ZodObject, make: (field: Field) => F) =>
  Object.fromEntries(
    Object.entries(schema.shape as Record<string, Schema>).map(([key, field]) => {
      const { schema: inner, required } = unwrap(field)
      const type = typeOf(inner, `${owner}${capital(key)}Input`)
      const text = descriptionOf(field)
      const limit = limitText(inner, text)
      const description = [text, limit].filter(Boolean).join(' ')
      // REST documents the limits with the schema of each value.
      const extensions = limit ? { description: text || null } : {}
      // What a patch omits is unchanged, so its texts name no default.
      const defaultValue = required ? undefined : defaultIn(inner, text)
      const withDefault = defaultValue !== undefined && { defaultValue }
      return [key, make({ type, required, description, extensions, ...withDefault })]
    }),
  )

/** The fields of a schema as arguments of a field. */
export const argsOf = (field: string, schema: z.ZodObject) =>
  untypedBuilder.args((t) => fieldsOf(capital(field), schema, (item) => t.field(item)))

export const EnvironmentRef = enumType(
  'Environment',
  'Test or live data. The two are fully isolated.',
  {
    TEST: 'The sandbox: no real rewards.',
    LIVE: 'Production: users get real rewards.',
  },
)

/** The options of the field `environment` of an object. */
export const environmentField = {
  type: EnvironmentRef,
  description: 'TEST or LIVE; it never changes.',
} as const

export const RightRef = enumType('Right', 'What members and keys may do.', rights)
