/**
 * Coerces variables as GraphQL does, but faster: with functions that are made once per operation. They know strings,
 * numbers, booleans, enums, lists and input objects. GraphQL itself coerces everything else and reports the errors.
 */
import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import type { Values } from './variables.ts'

/** The value is of another type, or invalid: GraphQL must decide. */
const unsure = Symbol('unsure')
type Coerce = (value: unknown) => unknown | typeof unsure

const isInt32 = (value: unknown) => typeof value === 'number' && (value | 0) === value

const isPlainBy = new Map<GraphQLInputType, (value: unknown) => boolean>([
  [GraphQLString, (value) => typeof value === 'string'],
  [GraphQLID, (value) => typeof value === 'string'],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLInt, isInt32],
])

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Fields = [name: string, coerce: Coerce][]

/** Coerces an object and omits its undefined fields. Unsure if a required field is missing or a key is unknown. */
const coerceFields = (fields: Fields, values: Values, known: ReadonlySet<string>) => {
  for (const name in values) if (!known.has(name)) return unsure
  const coerced: Values = {}
  for (const [name, coerce] of fields) {
    const value = coerce(values[name])
    if (value === unsure) return unsure
    if (value !== undefined) coerced[name] = value
  }
  return coerced
}

const coercerOf = (type: GraphQLInputType): Coerce => {
  if (isNonNullType(type)) {
    const coerce = coercerOf(type.ofType)
    return (value) => (value === undefined || value === null ? unsure : coerce(value))
  }
  const inner = coercerOfNullable(type)
  return (value) => (value === undefined || value === null ? value : inner(value))
}

const coercerOfNullable = (type: GraphQLInputType): Coerce => {
  const isPlain = isPlainBy.get(type)
  if (isPlain) return (value) => (isPlain(value) ? value : unsure)
  if (isEnumType(type)) {
    const values = new Map(type.getValues().map(({ name, value }) => [name, value]))
    return (name) => (values.has(name as string) ? values.get(name as string) : unsure)
  }
  if (isListType(type)) {
    const coerce = coercerOf(type.ofType)
    return (value) => {
      // GraphQL makes a list of a single value.
      const list = Array.isArray(value) ? value : [value]
      const coerced = list.map((item) => coerce(item === undefined ? null : item))
      return coerced.includes(unsure) ? unsure : coerced
    }
  }
  if (!isInputObjectType(type)) return () => unsure
  // Made on first use, because a type may contain itself.
  let fields: Fields | undefined
  let known: Set<string>
  return (value) => {
    if (!isObject(value)) return unsure
    if (!fields) {
      const all = Object.values(type.getFields())
      if (all.some(({ defaultValue }) => defaultValue !== undefined)) return unsure
      known = new Set(all.map(({ name }) => name))
      fields = all.map(({ name, type }) => [name, coercerOf(type)])
    }
    const coerced = coerceFields(fields, value, known)
    if (!type.isOneOf || coerced === unsure) return coerced
    const [first, ...others] = Object.values(coerced as Values)
    return first === undefined || first === null || others.length > 0 ? unsure : coerced
  }
}

/** Returns the function that coerces variables; it returns undefined if GraphQL must decide. */
export const plainValuesOf = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): ((variables: Values) => Values | undefined) => {
  if (definitions.some(({ defaultValue }) => defaultValue)) return () => undefined
  const fields = definitions.map(({ variable, type }): Fields[number] => [
    variable.name.value,
    coercerOf(typeFromAST(schema, type) as GraphQLInputType),
  ])
  return (variables) => {
    const coerced: Values = {}
    for (const [name, coerce] of fields) {
      const value = coerce(variables[name])
      // GraphQL coerces a variable that is set to undefined to null.
      if (value === unsure || (value === undefined && name in variables)) return undefined
      if (value !== undefined) coerced[name] = value
    }
    return coerced
  }
}
