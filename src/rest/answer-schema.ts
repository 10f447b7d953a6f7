/** The JSON Schema of a route's answer, derived from the selection of its operation. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { argumentsOf, directiveOf, keyOf, unsetOf } from './directives.ts'
import type { PageField, Paging } from './paging.ts'
import type { Route } from './route.ts'
import { operationOf } from './variables.ts'

export type Json = Record<string, unknown>

/** Scalars of the schema; others are strings. */
export const scalars: Record<string, Json> = {
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
}

const orNull = (schema: Json): Json =>
  'type' in schema ? { ...schema, type: [schema.type, 'null'] } : schema

/** A scalar or an enum. */
export const leafOf = (type: GraphQLInputType | GraphQLOutputType): Json => {
  const named = getNamedType(type)
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) }
  return scalars[named.name] ?? { type: 'string' }
}

/** A leaf as changed by the directives of its field. */
const saidOf = (schema: Json, field: FieldNode): Json => {
  const words = Object.values(argumentsOf(field, 'words') ?? {})
  // One word for true, one for false.
  if (words.length > 0 && schema.type === 'boolean') return { type: 'string', enum: words }
  if (words.length > 0) return { type: typeof words[0] }
  if (directiveOf(field, 'int')) return { ...schema, type: 'integer', format: 'int32' }
  const values = schema.enum as string[] | undefined
  // The text for null is not a value of the enum.
  if (values && unsetOf(field) !== undefined) return { type: 'string' }
  return values && directiveOf(field, 'lowerCase')
    ? { ...schema, enum: values.map((value) => value.toLowerCase()) }
    : schema
}

/** The description of a field; for a rate, in the unit of REST. */
const inPercentText = (
  field: FieldNode,
  description: string | null | undefined,
): string | null | undefined => {
  if (!directiveOf(field, 'percent')) return description
  const unit = directiveOf(field, 'int') ? 'In whole percent.' : 'In percent, to two decimals.'
  const said = description?.replace(/,? 0 to \d(\.\d+)?/, '')
  return said ? `${said} ${unit}` : unit
}

/** The schema of a selection of a type. */
const answerOf = (
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  route: Route,
): Json => {
  const inner = getNullableType(type)
  const schema = isListType(inner)
    ? { type: 'array', items: answerOf(inner.ofType as GraphQLOutputType, selection, route) }
    : selection
      ? objectOf(inner, selection, route)
      : leafOf(inner)
  return isNonNullType(type) ? schema : orNull(schema)
}

/** A personal field is never null in REST: a hidden value is answered as unset. */
const shownField = ({ type, description, extensions }: GraphQLField<unknown, unknown>) => {
  const { personal } = extensions as { personal?: { unset: unknown; description: string } }
  if (!personal) return { type, description }
  const isNullable = personal.unset === null
  return {
    type: isNullable ? type : new GraphQLNonNull(getNullableType(type)),
    description: personal.description,
  }
}

/** The keys of a selection that are never null. */
const unsetKeysOf = ({ selections }: SelectionSetNode): Set<string> =>
  new Set(
    selections.flatMap((field) =>
      field.kind === Kind.FIELD && unsetOf(field) !== undefined ? keyOf(field) : [],
    ),
  )

const objectOf = (
  type: GraphQLOutputType,
  { selections }: SelectionSetNode,
  route: Route,
): Json => {
  const named = getNamedType(type)
  if (isUnionType(named)) {
    // Errors use the envelope of errors.
    const payloads = named
      .getTypes()
      .filter((member) => member.getInterfaces().every(({ name }) => name !== 'Error'))
    const answers: Json[] = []
    for (const selection of selections) {
      if (selection.kind !== Kind.INLINE_FRAGMENT) continue
      const payload = payloads.find(({ name }) => name === selection.typeCondition?.name.value)
      if (payload) answers.push(objectOf(payload, selection.selectionSet, route))
    }
    return answers.length > 1 ? { oneOf: answers } : (answers[0] ?? {})
  }
  if (!isObjectType(named) && !isInterfaceType(named)) return {}
  const properties: Json = {}
  const required: string[] = []
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue
    const name = keyOf(selection)
    if (directiveOf(selection, 'text')) {
      properties[name] = { type: 'string', description: 'The same value as readable text.' }
      required.push(name)
    }
    const field = named.getFields()[selection.name.value]
    if (!field) continue
    const { description, ...shown } = shownField(field)
    const isOptional = route.optional.has(name) && !isNonNullType(shown.type)
    const isNeverNull = unsetOf(selection) !== undefined || directiveOf(selection, 'given')
    const type = isNeverNull ? new GraphQLNonNull(getNullableType(shown.type)) : shown.type
    if (selection.selectionSet && directiveOf(selection, 'flatten')) {
      const inner = objectOf(getNullableType(type), selection.selectionSet, route)
      const unset = unsetKeysOf(selection.selectionSet)
      for (const [key, schema] of Object.entries(inner.properties as Record<string, Json>))
        properties[key] = isNonNullType(type) || unset.has(key) ? schema : orNull(schema)
      const isOmitted = (key: string) => !isNonNullType(type) && route.optional.has(key)
      required.push(...(inner.required as string[]).filter((key) => !isOmitted(key)))
      continue
    }
    const schema = answerOf(type, selection.selectionSet, route)
    const said = inPercentText(selection, description)
    properties[name] = { ...saidOf(schema, selection), ...(said && { description: said }) }
    if (!isOptional) required.push(name)
  }
  return { type: 'object', properties, required }
}

/** An object that may be replaced by `unset`. Fields that are null in `unset` may be null. */
const orUnset = (object: Json, unset: unknown): Json => {
  if (typeof unset !== 'object' || unset === null) return object
  const properties = Object.entries(object.properties as Record<string, Json>).map(
    ([key, schema]) => [key, (unset as Json)[key] === null ? orNull(schema) : schema],
  )
  return { ...object, properties: Object.fromEntries(properties) }
}

/** The schema of the alias `result` of a route's operation. */
const resultOf = (schema: GraphQLSchema, route: Route): Json => {
  const operation = operationOf(route.written)
  let type = schema.getRootType(operation.operation) as GraphQLOutputType
  let { selectionSet } = operation
  for (;;) {
    const named = getNamedType(type)
    const [field] = selectionSet.selections
    if (field?.kind !== Kind.FIELD || !isObjectType(named)) return {}
    const definition = named.getFields()[field.name.value]
    if (!definition) return {}
    if (keyOf(field) === 'result') {
      // Null becomes an error.
      const found = new GraphQLNonNull(getNullableType(definition.type))
      return orUnset(answerOf(found, field.selectionSet, route), unsetOf(field))
    }
    type = definition.type
    selectionSet = field.selectionSet as SelectionSetNode
  }
}

const pageSchemas: Record<PageField, Json> = {
  page: {
    type: ['integer', 'null'],
    format: 'int32',
    description: 'Page number, from 1; null if the list is paged by cursor.',
  },
  limit: { type: 'integer', format: 'int32', description: 'Items per page.' },
  total: { type: 'integer', format: 'int64', description: 'Items in the whole list.' },
  totalPages: { type: 'integer', format: 'int32', description: 'Number of pages.' },
  totalParticipants: {
    type: 'integer',
    format: 'int64',
    description: 'Items in the whole list.',
  },
}

/** A result with the page fields of the adapter instead of the count. */
const withPaging = (result: Json, paging: Paging): Json => {
  const { totalCount: _, ...properties } = result.properties as Json
  const fields = 'meta' in paging ? paging.meta : paging.beside
  const figures = Object.fromEntries(fields.map((field) => [field, pageSchemas[field]]))
  const meta = {
    type: 'object',
    properties: figures,
    required: fields,
    description: 'The same, as page numbers.',
  }
  const all = { ...properties, ...('meta' in paging ? { meta } : figures) }
  return { ...result, properties: all, required: Object.keys(all) }
}

/** The whole answer of a successful route. */
export const envelopeOf = (schema: GraphQLSchema, route: Route): Json => {
  const operationResult = resultOf(schema, route)
  const result = route.paging ? withPaging(operationResult, route.paging) : operationResult
  const parts = route.list ? (result.properties as Json) : { data: result }
  const head: Json = route.message
    ? {
        message: { type: 'string', examples: [route.message] },
        code: { type: 'integer', const: route.status },
      }
    : {}
  return {
    type: 'object',
    properties: {
      ...head,
      status: { type: 'string', const: 'success' },
      ...parts,
    },
    required: [...Object.keys(head), 'status', ...Object.keys(parts)],
  }
}
