/** The variables of a route's operation: where their values come from, and how they are validated. */
import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import type { z } from 'zod'
import type { FieldError } from '../kit/errors.ts'
import { excessIn } from '../kit/schema/variable-values.ts'
import { check } from '../kit/validation.ts'
import { directiveOf, unsetOf } from './directives.ts'
import { inputName, takeTemplate } from './input-template.ts'
import type { Route } from './route.ts'

export type Values = Record<string, unknown>

/** `body` is a whole input, `field` one field of the body. */
type Source = 'path' | 'query' | 'body' | 'field'
export type Variable = {
  name: string
  /** The type in REST. Of a list written `$name: [Type!] @single` it is the type of an item. */
  type: GraphQLInputType
  source: Source
  /**
   * The text that unsets a field, written `$name: Type @unset(as: …)`: it becomes null in the schema. A null in REST
   * counts as omitted.
   */
  unset: unknown
  /** The default of a variable written `$name: [Enum!] @listed`. */
  listed: string[] | undefined
}

/** The values of an enum that are listed by default. */
const listedOf = (type: GraphQLInputType): string[] =>
  (getNamedType(type) as GraphQLEnumType)
    .getValues()
    .flatMap(({ name, extensions }) => (extensions['isListed'] ? [name] : []))

export const operationOf = ({ definitions }: DocumentNode): OperationDefinitionNode =>
  definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode

/** The schema of the body of a route that reads by POST: the arguments of its field. */
export const argumentsSchemaOf = (
  schema: GraphQLSchema,
  { method, operation }: Route,
): z.ZodType | undefined => {
  const { operation: kind, selectionSet } = operationOf(operation)
  const [field] = selectionSet.selections
  if (method !== 'POST' || kind !== 'query' || field?.kind !== Kind.FIELD) return undefined
  return schema.getQueryType()?.getFields()[field.name.value]?.extensions.args as z.ZodType
}

/** The variables of a route's operation and where their values come from. */
export const variablesOf = (schema: GraphQLSchema, route: Route): Variable[] => {
  const { template } = takeTemplate(schema, route.operation)
  const sourceOf = (name: string): Source => {
    if (route.path.includes(`{${name}}`)) return 'path'
    if (name === inputName) return 'body'
    return template?.places.has(name) || argumentsSchemaOf(schema, route) ? 'field' : 'query'
  }
  const definitions = operationOf(route.written).variableDefinitions ?? []
  return definitions.map((definition: VariableDefinitionNode) => {
    const name = definition.variable.name.value
    const given = typeFromAST(schema, definition.type) as GraphQLInputType
    const item = directiveOf(definition, 'single') && getNamedType(given)
    // A page is requested by its number.
    const type = name === 'page' ? GraphQLInt : (item ?? given)
    const unset = unsetOf(definition)
    const listed = directiveOf(definition, 'listed') && listedOf(type)
    return { name, source: sourceOf(name), type, unset, listed }
  })
}

/** Text of a path or a query string as the JSON value that a variable of this type takes. */
const fromText = (type: GraphQLInputType, text: unknown): unknown => {
  if (typeof text !== 'string') return text
  const inner = getNullableType(type)
  if (isListType(inner)) return text.split(',').map((part) => fromText(inner.ofType, part))
  switch (getNamedType(type).name) {
    case 'Int':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** REST shows no versions, so it takes none. */
export const versionName = 'expectedVersion'

/** The fields of a body that the operation takes. Others are ignored. A missing body counts as empty. */
const pickInput = (type: GraphQLInputType, body: unknown, params: Values): unknown => {
  const named = getNamedType(type)
  if (!isInputObjectType(named) || !isObject(body)) return body
  const input: Values = {}
  for (const name of Object.keys(named.getFields())) {
    const value = params[name] ?? body[name]
    if (value !== undefined && name !== versionName) input[name] = value
  }
  return input
}

type Asked = { params: unknown; query: unknown; body: unknown }

/** The values of a request, by variable. */
export const readValues = (variables: Variable[], { params, query, body = {} }: Asked): Values => {
  const values: Values = {}
  for (const { name, type, source, unset, listed } of variables) {
    const given =
      source === 'body'
        ? pickInput(type, body, params as Values)
        : source === 'field'
          ? isObject(body)
            ? body[name]
            : undefined
          : fromText(type, ((source === 'path' ? params : query) as Values)[name])
    const sent = unset === undefined ? given : given === unset ? null : (given ?? undefined)
    const value = sent === undefined ? listed : sent
    if (value !== undefined || source === 'body') values[name] = value
  }
  return values
}

/** Whether a type contains a list. */
export const hasList = (type: GraphQLInputType, within: GraphQLInputType[] = []): boolean => {
  const inner = getNullableType(type)
  if (isListType(inner)) return true
  if (!isInputObjectType(inner) || within.includes(inner)) return false
  return Object.values(inner.getFields()).some((field) => hasList(field.type, [...within, inner]))
}

/** Whether a value has a single item in place of a list. GraphQL would turn it into a list. */
export const lacksList = (type: GraphQLInputType, value: unknown): boolean => {
  const inner = getNullableType(type)
  if (value === undefined || value === null) return false
  if (isListType(inner))
    return !Array.isArray(value) || value.some((item) => lacksList(inner.ofType, item))
  return (
    isInputObjectType(inner) &&
    typeof value === 'object' &&
    Object.values(inner.getFields()).some(({ name, type }) =>
      lacksList(type, (value as Values)[name]),
    )
  )
}

/** @throws TesseraError VALIDATION_FAILED in the words of the schema of the input */
export const checkInput = (type: GraphQLInputType, value: unknown): void => {
  const named = getNamedType(type)
  if (isInputObjectType(named)) check(named.extensions.schema as z.ZodType, value)
}

/** The first value that is too large to be read. */
export const excessOf = (variables: Variable[], values: Values): FieldError | null => {
  for (const { name, source, type } of variables) {
    const excess = excessIn(values[name], type)
    if (!excess) continue
    const field = [...(source === 'body' ? [] : [name]), ...excess.path].join('.')
    return { field, code: 'too_big', message: `${field} ${excess.message}` }
  }
  return null
}

/** The problem with a value of the path or the query string. */
export const faultOf = ({ name, type }: Variable, value: unknown): FieldError[] => {
  const inner = getNullableType(type)
  let isBad = false
  coerceInputValue(value, inner, () => {
    isBad = true
  })
  const named = getNamedType(type)
  const wanted = isEnumType(named)
    ? `must be one of ${named
        .getValues()
        .map(({ name }) => name)
        .join(', ')}`
    : 'is not valid'
  return isBad ? [{ field: name, code: 'invalid', message: `${name} ${wanted}` }] : []
}
