/** Fields of a body whose form in REST differs from the schema. */
import { coerceInputValue, type GraphQLInputType, getNamedType, getNullableType } from 'graphql'
import { z } from 'zod'
import { TesseraError } from '../kit/errors.ts'
import { check, integer } from '../kit/validation.ts'

type Values = Record<string, unknown>

export type Form = {
  /** Its name in REST. */
  name: string
  /** Further fields of the body that `read` takes, with their schemas. */
  others?: Record<string, z.ZodType>
  /** Its schema in REST. @param field its schema in GraphQL */
  schema(field: z.ZodType): z.ZodType
  /** Converts a valid value to the form of the schema. */
  read(value: unknown, body: Values): unknown
  /** The value for the schema where the body has none. */
  absent?(body: Values): unknown
  /** Converts the path of an error to REST. */
  pathOf?(value: unknown, path: string[]): string[]
}

export type Codecs = Record<string, Form>

const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innermost(schema.unwrap() as z.ZodType)
    : schema

/** An optional rate in whole percent. */
export const percent = (name: string, description: string): Form => ({
  name,
  schema: (field) => {
    const rate = innermost(field)
    const max = rate instanceof z.ZodNumber ? (rate.maxValue ?? 1) : 1
    return integer(0, Math.round(max * 100))
      .nullish()
      .describe(description)
  },
  read: (value) => (typeof value === 'number' ? value / 100 : value),
})

/** A field with another name in REST. */
export const named = (name: string): Form => ({
  name,
  schema: (field) => field,
  read: (value) => value,
})

/** A list of pairs as an object that maps their keys to their values. */
export const map = (name: string, schema: z.ZodType, [key, value]: [string, string]): Form => ({
  name,
  schema: () => schema,
  read: (object) =>
    object && Object.entries(object).map(([name, item]) => ({ [key]: name, [value]: item })),
  pathOf: (object, [index]) => [Object.keys(object as object)[Number(index)] ?? ''],
})

/** A thing by its UUID, in the body or the path, where the schema takes one of several keys. */
export const keyOf = (name: string): Form => ({
  name,
  schema: (field) => {
    const { shape } = innermost(field) as z.ZodObject
    const key = innermost(shape['id'] as z.ZodType).describe(field.description ?? '')
    return field.safeParse(undefined).success ? key.nullish() : key
  },
  read: (id) => (id === null ? null : { id }),
  pathOf: () => [],
})

/** The schema of a body: that of the input, with the forms of REST. */
export const codecSchemaOf = (forms: Codecs, type: GraphQLInputType): z.ZodObject => {
  const { shape, description = '' } = getNamedType(type).extensions.schema as z.ZodObject
  const fields = Object.entries(shape as Record<string, z.ZodType>).flatMap(([field, schema]) => {
    const form = forms[field]
    if (!form) return [[field, schema]]
    return [[form.name, form.schema(schema)], ...Object.entries(form.others ?? {})]
  })
  return z.object(Object.fromEntries(fields)).describe(description)
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values in the form of GraphQL. Invalid values stay as they are. */
const coerced = (type: GraphQLInputType, values: Values): Values => {
  let isGood = true
  const taken = coerceInputValue(values, getNullableType(type), () => {
    isGood = false
  })
  return isGood ? (taken as Values) : values
}

/** The parts of a request that forms read. A missing body counts as empty. */
type Sent = { body?: unknown; params: unknown }

export const prepareCodecs = (forms: Codecs, type: GraphQLInputType) => {
  const schema = codecSchemaOf(forms, type)
  const entries = Object.entries(forms)
  const names = Object.keys(schema.shape)
  /**
   * The known fields of a body with the parts of the path; null for a body that is no object. Unknown fields are not
   * copied: a body can have tens of thousands.
   */
  const knownOf = ({ body = {}, params }: Sent): Values | null => {
    if (!isObject(body)) return null
    const given = names.filter((name) => Object.hasOwn(body, name))
    return { ...Object.fromEntries(given.map((name) => [name, body[name]])), ...(params as Values) }
  }
  return {
    /**
     * The input in the form of the schema.
     * @throws TesseraError VALIDATION_FAILED that lists all bad fields, if one in a form of REST is bad
     */
    read: (input: unknown, sent: Sent): unknown => {
      const body = knownOf(sent)
      if (!isObject(input) || !body) return input
      const others = { ...input }
      for (const field in forms) delete others[field]
      const read: Values = {}
      for (const [field, { name, others: more, read: readForm, absent }] of entries) {
        const given = [name, ...Object.keys(more ?? {})].filter((item) => body[item] !== undefined)
        if (given.length === 0) {
          const value = absent?.(body)
          if (value !== undefined) read[field] = value
        } else if (given.every((item) => schema.shape[item]?.safeParse(body[item]).success))
          read[field] = readForm(body[name], body)
        else check(schema, { ...body, ...coerced(type, others) })
      }
      return { ...others, ...read }
    },
    /** An error about the input in the forms of REST. */
    told: (error: TesseraError, sent: Sent): TesseraError => {
      const { code, message, errors } = error
      const body = knownOf(sent)
      if (!errors || !body) return error
      const told = errors.map((fault) => {
        const [field = '', ...path] = fault.field.split('.')
        const form = forms[field]
        if (!form) return fault
        const inside = path.length > 0 ? form.pathOf?.(body[form.name], path) : []
        const name = [form.name, ...(inside ?? path)].join('.')
        return { ...fault, field: name, message: fault.message.replace(fault.field, () => name) }
      })
      return TesseraError.of(code, { message, errors: told })
    },
  }
}
