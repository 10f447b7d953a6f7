/** The JSON Schema of a route's answer, derived from the selection of its operation. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLNonNull,
  type GraphQLObjectType,
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
import { z } from 'zod'
import {
  directiveOf,
  type Fragments,
  fieldsOf,
  fragmentsOf,
  keyOf,
  restDirectivesOf,
  unsetOf,
} from './directives.ts'
import type { PageField, Paging } from './paging.ts'
import type { Route } from './route.ts'
import { operationOf } from './variables.ts'

export type Json = Record<string, unknown>

/** Scalars of the schema; others are strings. */
export const scalars: Record<string, Json> = {
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64' },
  UUID: { type: 'string', format: 'uuid' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: {},
}

const orNull = (schema: Json): Json => {
  const { type, enum: values, oneOf } = schema
  if (oneOf) return { anyOf: [...(oneOf as Json[]), { type: 'null' }] }
  if (!type) return schema
  const nullable = { ...schema, type: [type, 'null'] }
  return values ? { ...nullable, enum: [...(values as unknown[]), null] } : nullable
}

/** A scalar or an enum. */
export const leafOf = (type: GraphQLInputType | GraphQLOutputType): Json => {
  const named = getNamedType(type)
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) }
  return scalars[named.name] ?? { type: 'string' }
}

/** A leaf as changed by the directives of its field. */
const changedLeaf = (schema: Json, field: FieldNode): Json => {
  const values = schema.enum as (string | null)[] | undefined
  // The text for null is not a value of the enum.
  if (values && unsetOf(field) !== undefined) return { type: 'string' }
  return values && directiveOf(field, 'lowerCase')
    ? { ...schema, enum: values.map((value) => value?.toLowerCase() ?? null) }
    : schema
}

type Source = { route: Route; fragments: Fragments }

/** The schema of a selection of a type. */
const answerOf = (
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  source: Source,
): Json => {
  const inner = getNullableType(type)
  const schema = isListType(inner)
    ? { type: 'array', items: answerOf(inner.ofType as GraphQLOutputType, selection, source) }
    : selection
      ? objectOf(inner, selection, source)
      : leafOf(inner)
  return isNonNullType(type) ? schema : orNull(schema)
}

type Extensions = {
  personal?: { unset: unknown; description: string }
  isNullWithErrorOnly?: true
  /** Without what it says of nulls, errors and access. */
  description?: string | null | undefined
}

/** The description of a field without what concerns the schema alone: its errors, and who may read it. */
export const plainDescription = ({
  description,
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'description' | 'extensions'>):
  | string
  | null
  | undefined =>
  'description' in extensions ? (extensions as Extensions).description : description

/** A hidden personal value is answered as unset, and an error fails the route: neither is null in REST. */
const shownField = (field: GraphQLField<unknown, unknown>) => {
  const { type, extensions } = field
  const { personal, isNullWithErrorOnly } = extensions as Extensions
  const description = plainDescription(field)
  if (isNullWithErrorOnly) return { type: new GraphQLNonNull(getNullableType(type)), description }
  if (!personal) return { type, description }
  const isNullable = personal.unset === null
  return {
    type: isNullable ? type : new GraphQLNonNull(getNullableType(type)),
    description: personal.description,
  }
}

/** The keys of a selection that are never null. */
const unsetKeysOf = (selection: SelectionSetNode, fragments: Fragments): Set<string> =>
  new Set(
    fieldsOf(selection, fragments).flatMap((field) =>
      unsetOf(field) !== undefined ? keyOf(field) : [],
    ),
  )

/**
 * The name of an object, and what it is: of the fragment that selects it, or of its type. A payload that is one object
 * has its name.
 */
const nameOf = (
  type: GraphQLObjectType | GraphQLInterfaceType,
  { selections }: SelectionSetNode,
): { title: string; about: string } => {
  const isPayload = type.name.endsWith('Payload')
  const about = isPayload ? 'What the request changed.' : (type.description ?? '')
  const [only, ...others] = selections
  if (others.length === 0 && only?.kind === Kind.FRAGMENT_SPREAD)
    return { title: only.name.value, about }
  if (others.length === 0 && only?.kind === Kind.FIELD && directiveOf(only, 'flatten')) {
    const inner = getNamedType(type.getFields()[only.name.value]?.type)
    if (isObjectType(inner) && only.selectionSet) return nameOf(inner, only.selectionSet)
  }
  if (isPayload) return { title: type.name, about }
  const isPage = type.name.endsWith('Connection')
  // In REST, the public part of a type has the name of the type.
  const name = type.name.startsWith('Public') ? type.name.slice('Public'.length) : type.name
  return {
    title: name.replace(/Connection$/, 'Page'),
    about: isPage ? 'A page of a list.' : about,
  }
}

/** A description without what it says of null, for a field that is never null in REST. */
const withoutNull = (description: string): string => {
  const sentences = description
    .split('. ')
    .filter((sentence) => !sentence.startsWith('Null '))
    .map((sentence) =>
      sentence
        .split('; ')
        .filter((part) => !part.startsWith('null '))
        .join('; '),
    )
  const text = sentences.join('. ')
  return text === '' || text.endsWith('.') ? text : `${text}.`
}

/** Its `title` is a name for the components of the document, and `about` describes it there. */
const objectOf = (
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode,
  source: Source,
): Json => {
  const { route, fragments } = source
  const named = getNamedType(type)
  if (isUnionType(named)) {
    // Errors use the envelope of errors.
    const payloads = named
      .getTypes()
      .filter((member) => member.getInterfaces().every(({ name }) => name !== 'Error'))
    const answers: Json[] = []
    for (const selection of selectionSet.selections) {
      if (selection.kind !== Kind.INLINE_FRAGMENT) continue
      const payload = payloads.find(({ name }) => name === selection.typeCondition?.name.value)
      if (payload) answers.push(objectOf(payload, selection.selectionSet, source))
    }
    return answers.length > 1 ? { oneOf: answers } : (answers[0] ?? {})
  }
  if (!isObjectType(named) && !isInterfaceType(named)) return {}
  const properties: Json = {}
  const required: string[] = []
  for (const selection of fieldsOf(selectionSet, fragments)) {
    const name = keyOf(selection)
    const field = named.getFields()[selection.name.value]
    if (!field) continue
    const { description, ...shown } = shownField(field)
    const said = restDirectivesOf(selection)
    const isOptional = route.optional.has(name) && !isNonNullType(shown.type)
    const isNeverNull = unsetOf(selection) !== undefined || said.isGiven
    const type = isNeverNull ? new GraphQLNonNull(getNullableType(shown.type)) : shown.type
    if (selection.selectionSet && directiveOf(selection, 'flatten')) {
      const inner = objectOf(getNullableType(type), selection.selectionSet, source)
      const unset = unsetKeysOf(selection.selectionSet, fragments)
      for (const [key, schema] of Object.entries(inner.properties as Record<string, Json>))
        properties[key] = isNonNullType(type) || unset.has(key) ? schema : orNull(schema)
      const isOmitted = (key: string) => !isNonNullType(type) && route.optional.has(key)
      required.push(...(inner.required as string[]).filter((key) => !isOmitted(key)))
      continue
    }
    const schema = answerOf(type, selection.selectionSet, source)
    const known = description ?? (selection.name.value === 'nodes' ? 'The items of the page.' : '')
    const told = isNeverNull ? withoutNull(known) : known
    properties[name] = said.schema
      ? jsonSchemaOf(said.schema)
      : { ...changedLeaf(schema, selection), ...(told && { description: told }) }
    if (!isOptional) required.push(name)
  }
  return { ...nameOf(named, selectionSet), type: 'object', properties, required }
}

/** The schema of the alias `result` of a route's operation. */
const resultOf = (schema: GraphQLSchema, route: Route): Json => {
  const operation = operationOf(route.written)
  const source = { route, fragments: fragmentsOf(route.written) }
  let type = schema.getRootType(operation.operation) as GraphQLOutputType
  let { selectionSet } = operation
  for (;;) {
    const named = getNamedType(type)
    const [field] = selectionSet.selections
    if (field?.kind !== Kind.FIELD || !(isObjectType(named) || isInterfaceType(named))) return {}
    const definition = named.getFields()[field.name.value]
    if (!definition) return {}
    if (keyOf(field) === 'result') {
      // Null becomes an error.
      const found = new GraphQLNonNull(getNullableType(definition.type))
      return answerOf(found, field.selectionSet, source)
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
    // Most lists have all of these.
    ...(fields.length === 4 && { title: 'PageMeta', about: 'Where the page is in the list.' }),
    type: 'object',
    properties: figures,
    required: [...fields].sort(),
  }
  const all = {
    ...properties,
    ...('meta' in paging ? { meta: { ...meta, description: 'The page.' } } : figures),
  }
  return { ...result, properties: all, required: Object.keys(all) }
}

/** The schema of what is sent, to which keys may be added. */
export const jsonSchemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...sent } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.minimum
        delete jsonSchema.maximum
      }
    },
  })
  return sent as Json
}

export const successStatus: Json = {
  type: 'string',
  const: 'success',
  description: 'Always `success`; the status of an error is `error`.',
}

/** The answer of a successful route, without the envelope that most answers share. */
export const envelopeOf = (schema: GraphQLSchema, route: Route): Json => {
  const operationResult = route.answer ? jsonSchemaOf(route.answer.schema) : resultOf(schema, route)
  const result = route.paging ? withPaging(operationResult, route.paging) : operationResult
  const data =
    result.type === 'array' ? { ...result, description: 'All items, on one page.' } : result
  const parts = route.list ? (result.properties as Json) : { data }
  const properties = route.message ? parts : { status: successStatus, ...parts }
  return { type: 'object', properties, required: Object.keys(properties) }
}
