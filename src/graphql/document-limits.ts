/** Limits of the size of a GraphQL document, with its fragments expanded. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TokenKind,
  TypeMetaFieldDef,
} from 'graphql'
import { type Callers, isGoodCaller } from '../kit/access/context.ts'
import { requestError } from './faults.ts'

export const documentLimits = {
  tokens: 2_000,
  /** Of the documents of a batch that are not cached. */
  tokensOfBatch: 4_000,
  /** Characters of a name. Validation searches for names that are similar to an unknown one. */
  nameLength: 255,
  /** Levels of fields. */
  depth: 12,
  /** Levels of fields below `__schema` and `__type`: what the standard introspection query has. */
  introspectionDepth: 15,
  aliasesOfOneField: 15,
  /** Levels of fragments without a field between them. Validation reads the inner ones again for each outer one. */
  fragmentDepth: 30,
  /** Fields and spreads. */
  selections: 2_000,
  /** Pairs of fields that merge in the answer. Validation compares each pair and everything below it. */
  merges: 2_000,
  complexity: 5_000,
}

export const tooComplex = (message: string): GraphQLError =>
  requestError('DOCUMENT_TOO_COMPLEX', { message })

/** @throws GraphQLError DOCUMENT_TOO_COMPLEX */
export const checkNames = ({ loc }: DocumentNode): void => {
  for (let token = loc?.startToken ?? null; token; token = token.next)
    if (token.kind === TokenKind.NAME && token.end - token.start > documentLimits.nameLength)
      throw tooComplex(`A name may have ${documentLimits.nameLength} characters at most`)
}

const introspectionFields = new Map<string, GraphQLField<unknown, unknown>>(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
)

export const isIntrospection = ({ name }: FieldNode): boolean => introspectionFields.has(name.value)

/** The definition of a selected field; undefined for `__typename`. */
export const schemaFieldOf = (
  type: GraphQLNamedType,
  { name }: FieldNode,
): GraphQLField<unknown, unknown> | undefined =>
  introspectionFields.get(name.value) ??
  (isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined)

export const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )

/** A field of the answer, with all its selections in the document. */
type Merged = { count: number; isIntrospection: boolean; below: Selected[] }
/** A selection set and the type whose fields it selects. */
type Selected = { type: GraphQLNamedType; set: SelectionSetNode }

/** Counts the aliases of each field of a document. */
const createAliasCount = () => {
  const aliases = new Map<string, number>()
  return (type: GraphQLNamedType, { alias, name }: FieldNode) => {
    if (!alias) return
    const field = `${type.name}.${name.value}`
    const count = (aliases.get(field) ?? 0) + 1
    aliases.set(field, count)
    if (count > documentLimits.aliasesOfOneField)
      throw tooComplex(
        `A field may have ${documentLimits.aliasesOfOneField} aliases at most in a document: ${field}`,
      )
  }
}

/**
 * Measures a document whose fragments are known and free of cycles. It stops at the limit, so that nested
 * fragments cannot multiply the work.
 * @throws GraphQLError DOCUMENT_TOO_COMPLEX
 */
export const checkSize = (schema: GraphQLSchema, document: DocumentNode): void => {
  const fragments = fragmentsOf(document)
  const countAlias = createAliasCount()
  let [selections, merges] = [0, 0]

  const collectField = (type: GraphQLNamedType, node: FieldNode, found: Map<string, Merged>) => {
    countAlias(type, node)
    const name = (node.alias ?? node.name).value
    const merged = found.get(name) ?? {
      count: 0,
      isIntrospection: isIntrospection(node),
      below: [],
    }
    found.set(name, merged)
    merges += merged.count++
    if (merges > documentLimits.merges)
      throw tooComplex(`The document asks for the same field at the same place too often: ${name}`)
    const field = schemaFieldOf(type, node)
    if (field && node.selectionSet)
      merged.below.push({ type: getNamedType(field.type), set: node.selectionSet })
  }

  const collect = ({ type, set }: Selected, found: Map<string, Merged>, level = 0) => {
    if (level > documentLimits.fragmentDepth)
      throw tooComplex(
        `Fragments may be nested ${documentLimits.fragmentDepth} deep at most without a field between them`,
      )
    for (const node of set.selections) {
      if (++selections > documentLimits.selections)
        throw tooComplex(`A document may ask for ${documentLimits.selections} fields at most`)
      if (node.kind === Kind.FIELD) collectField(type, node, found)
      else {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        const condition = fragment?.typeCondition?.name.value
        const narrowed = (condition && schema.getType(condition)) || type
        if (fragment) collect({ type: narrowed, set: fragment.selectionSet }, found, level + 1)
      }
    }
  }

  const descend = (places: Selected[], depth: number, maxDepth: number) => {
    if (depth > maxDepth)
      throw tooComplex(`The document is more than ${maxDepth} deep, which is the limit`)
    const found = new Map<string, Merged>()
    for (const place of places) collect(place, found)
    for (const { isIntrospection, below } of found.values())
      if (below.length > 0)
        descend(below, depth + 1, isIntrospection ? documentLimits.introspectionDepth : maxDepth)
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const type = schema.getRootType(definition.operation)
    if (type) descend([{ type, set: definition.selectionSet }], 1, documentLimits.depth)
  }
}

const namesIntrospection = /\b__(schema|type)\b/

/** Whether a root selection has an introspection field. Each fragment is read once. */
const selectsIntrospection = (
  { selections }: SelectionSetNode,
  unread: Map<string, FragmentDefinitionNode>,
): boolean =>
  selections.some((node) => {
    if (node.kind === Kind.FIELD) return isIntrospection(node)
    if (node.kind === Kind.INLINE_FRAGMENT) return selectsIntrospection(node.selectionSet, unread)
    const fragment = unread.get(node.name.value)
    unread.delete(node.name.value)
    return fragment !== undefined && selectsIntrospection(fragment.selectionSet, unread)
  })

/** Whether an operation introspects. The document need not be valid. */
export const isIntrospective = (document: DocumentNode, operationName: unknown): boolean => {
  if (!namesIntrospection.test(document.loc?.source.body ?? '')) return false
  const operation = getOperationAST(document, (operationName || null) as string | null)
  return !!operation && selectsIntrospection(operation.selectionSet, fragmentsOf(document))
}

/** The reason to refuse an operation to these callers. In production, only members may introspect. */
export const refuseIntrospection = (
  document: DocumentNode,
  operationName: unknown,
  { member }: Callers,
): GraphQLError | null =>
  !isGoodCaller(member) && isIntrospective(document, operationName)
    ? requestError('INTROSPECTION_REFUSED')
    : null
