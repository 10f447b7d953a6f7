/** The JSON Schema of a request body: that of an input, or of the fields that an operation takes. */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql'
import { z } from 'zod'
import { type Json, scalars } from './answer-schema.ts'
import { codecSchemaOf } from './codecs.ts'
import { itemTemplateOf } from './each.ts'
import { takeTemplate } from './input-template.ts'
import type { Each, Route } from './route.ts'
import { argumentsSchemaOf, type Variable, versionName } from './variables.ts'

type BodySchema = z.core.JSONSchema.BaseSchema

const { $schema: _, ...uuid } = z.toJSONSchema(z.uuid())

/** Whether it may be null by its type alone. */
const isPlain = ({ type, enum: values }: BodySchema) =>
  !values && ['string', 'integer', 'number', 'boolean'].includes(String(type))

/** Whether it is a moment, which is sent as text. */
const isMoment = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  def.type === 'date' || (def.type === 'pipe' && isMoment((def as z.core.$ZodPipeDef).out))

const jsonSchemaOf = (schema: z.ZodType): BodySchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom')
        Object.assign(
          jsonSchema,
          scalars[String((jsonSchema as Json).graphql)] ?? { type: 'object' },
        )
      if (isMoment(zodSchema)) Object.assign(jsonSchema, scalars['DateTime'])
      // REST identifies objects by their UUIDs, unless an input defines it otherwise.
      if ((jsonSchema as Json).graphql === 'ID' && jsonSchema.minLength === undefined)
        Object.assign(jsonSchema, uuid)
      const [value, orNull] = jsonSchema.anyOf ?? []
      if (orNull?.type === 'null' && isPlain(value as BodySchema)) {
        Object.assign(jsonSchema, { ...value, type: [value?.type, 'null'] })
        delete jsonSchema.anyOf
      }
      // The description of a type that may also be null.
      const described = orNull?.type === 'null' && (value as BodySchema).description
      if (described) jsonSchema.description ??= described
      delete (jsonSchema as Json).graphql
      delete (jsonSchema as Json).node
      delete (jsonSchema as Json).item
      delete (jsonSchema as Json).headline
      delete (jsonSchema as Json).isOneOf
    },
  })

/** The schema of an input as REST takes it. */
const inputSchemaOf = (schema: z.ZodType): BodySchema => {
  const whole = jsonSchemaOf(schema)
  const { [versionName]: _, ...properties } = whole.properties ?? {}
  return { ...whole, properties }
}

const isNullable = ({ type, anyOf = [] }: BodySchema): boolean =>
  [type].flat().includes('null') || anyOf.some((item) => (item as BodySchema).type === 'null')

/** A field of an object, nullable if the object is. */
const fieldOf = ({ properties, anyOf }: BodySchema, name: string): BodySchema => {
  const orNull = anyOf?.find((item) => (item as BodySchema).properties) as BodySchema | undefined
  if (!orNull) return (properties?.[name] ?? {}) as BodySchema
  const { description, ...field } = fieldOf(orNull, name)
  const nullable = isNullable(field) ? field : { anyOf: [field, { type: 'null' }] }
  return { description, ...nullable } as BodySchema
}

const propertyAt = (schema: BodySchema, path: string): BodySchema =>
  path.split('.').reduce(fieldOf, schema)

/** Whether one of the objects around a field of an input may be omitted. */
const isInOptional = (input: GraphQLInputObjectType, path: string): boolean => {
  const [object = '', ...inner] = path.split('.')
  const type = input.getFields()[object]?.type
  if (inner.length === 0) return false
  const named = getNamedType(type)
  return !isNonNullType(type) || (isInputObjectType(named) && isInOptional(named, inner.join('.')))
}

/** A list whose items succeed or fail on their own. */
const listSchemaOf = (each: Each, type: GraphQLInputType, list: BodySchema): BodySchema => {
  const { type: itemType, places } = itemTemplateOf(each, type)
  const item = getNamedType(itemType)
  const whole = jsonSchemaOf(item.extensions.schema as z.ZodType)
  const isRequired = (path: string) => {
    const [field = ''] = path.split('.')
    return isInputObjectType(item) && isNonNullType(item.getFields()[field]?.type)
  }
  const names = [...places]
  return {
    ...list,
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(names.map(([name, path]) => [name, propertyAt(whole, path)])),
      required: names.flatMap(([name, path]) => (isRequired(path) ? name : [])),
    },
  }
}

/** The fields of a body that a route takes; undefined if it takes no body. */
export const bodySchemaOf = (
  schema: GraphQLSchema,
  route: Route,
  variables: Variable[],
): BodySchema | undefined => {
  const args = argumentsSchemaOf(schema, route)
  if (args) return jsonSchemaOf(args)
  const { template } = takeTemplate(schema, route.operation)
  const input = getNamedType(template?.type ?? variables.find((v) => v.source === 'body')?.type)
  if (!isInputObjectType(input)) return undefined
  const whole = inputSchemaOf(
    route.forms ? codecSchemaOf(route.forms, input) : (input.extensions.schema as z.ZodType),
  )
  if (!template) return whole
  const taken = variables.filter(({ source }) => source === 'field')
  const choice = route.choice?.by && jsonSchemaOf(route.choice.by)
  if (taken.length === 0 && !choice) return undefined
  return {
    ...whole,
    ...choice,
    properties: {
      ...Object.fromEntries(
        taken.map(({ name }) => {
          const path = template.places.get(name) as string
          const property = propertyAt(whole, path)
          const { each } = route
          const isList = each?.field === path
          return [name, isList ? listSchemaOf(each, input, property) : property]
        }),
      ),
      ...choice?.properties,
    },
    required: [
      ...taken.flatMap(({ name, type }) => {
        const isOptional = isInOptional(input, template.places.get(name) as string)
        return isNonNullType(type) && !isOptional ? name : []
      }),
      ...(choice?.required ?? []),
    ],
  }
}

/** The schema of a path parameter that is part of an input; undefined if there is none. */
export const pathSchemaOf = (
  schema: GraphQLSchema,
  route: Route,
  { name, type }: Variable,
): Json | undefined => {
  const { template } = takeTemplate(schema, route.operation)
  const input = getNamedType(template?.type)
  const place = template?.places.get(name)
  if (!place || !isInputObjectType(input)) return undefined
  const { description: _, ...said } = propertyAt(
    jsonSchemaOf(input.extensions.schema as z.ZodType),
    place,
  )
  const isUuid = getNamedType(type).name === 'ID' && said.minLength === undefined
  return said.type && !isUuid ? (said as Json) : undefined
}

/** A body without the path parameters; undefined if nothing is left. */
export const withoutPathFields = (
  { $schema, ...body }: BodySchema,
  names: string[],
): Json | undefined => {
  const properties = Object.fromEntries(
    Object.entries(body.properties ?? {}).filter(([name]) => !names.includes(name)),
  )
  if (Object.keys(properties).length === 0) return undefined
  const required = body.required?.filter((name) => !names.includes(name))
  return { ...body, properties, ...(required && { required }) } as Json
}
