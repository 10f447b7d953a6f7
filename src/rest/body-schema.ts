/** The body of a request as JSON Schema: that of an input, or of the fields that an operation takes. */
import { type GraphQLSchema, getNamedType, isInputObjectType, isNonNullType } from 'graphql'
import { z } from 'zod'
import { type Json, scalars } from './answer-schema.ts'
import { takeTemplate } from './input-template.ts'
import type { Route } from './route.ts'
import type { Variable } from './variables.ts'

type BodySchema = z.core.JSONSchema.BaseSchema

const { $schema: _, ...uuid } = z.toJSONSchema(z.uuid())

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
      // REST names things by their UUIDs, where an input does not say itself what it takes.
      if ((jsonSchema as Json).graphql === 'ID' && jsonSchema.minLength === undefined)
        Object.assign(jsonSchema, uuid)
      delete (jsonSchema as Json).graphql
      delete (jsonSchema as Json).headline
      delete (jsonSchema as Json).isOneOf
    },
  })

const propertyAt = (schema: BodySchema, path: string): BodySchema =>
  path.split('.').reduce((inner, name) => (inner.properties?.[name] ?? {}) as BodySchema, schema)

/** The fields of a body that a route takes; undefined when it takes no body. */
export const bodySchemaOf = (
  schema: GraphQLSchema,
  route: Route,
  variables: Variable[],
): BodySchema | undefined => {
  const { template } = takeTemplate(schema, route.operation)
  const input = getNamedType(template?.type ?? variables.find((v) => v.source === 'body')?.type)
  if (!isInputObjectType(input)) return undefined
  const whole = jsonSchemaOf(input.extensions.schema as z.ZodType)
  if (!template) return whole
  const taken = variables.filter(({ source }) => source === 'field')
  const choice = route.choice && jsonSchemaOf(route.choice.by)
  if (taken.length === 0 && !choice) return undefined
  return {
    ...whole,
    ...choice,
    properties: {
      ...Object.fromEntries(
        taken.map(({ name }) => [name, propertyAt(whole, template.places.get(name) as string)]),
      ),
      ...choice?.properties,
    },
    required: [
      ...taken.flatMap(({ name, type }) => (isNonNullType(type) ? name : [])),
      ...(choice?.required ?? []),
    ],
  }
}

/** What a text of the path may be, where it stands in an input; undefined where that does not say. */
export const pathSchemaOf = (
  schema: GraphQLSchema,
  route: Route,
  { name, type }: Variable,
): Json | undefined => {
  const { template } = takeTemplate(schema, route.operation)
  const input = getNamedType(template?.type)
  const place = template?.places.get(name)
  if (!place || !isInputObjectType(input) || getNamedType(type).name === 'ID') return undefined
  const { description: _, ...said } = propertyAt(
    jsonSchemaOf(input.extensions.schema as z.ZodType),
    place,
  )
  return said.type ? (said as Json) : undefined
}

/** A body without what stands in the path; undefined when nothing is left. */
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
