/**
 * Differences between REST and the schema, as directives in an operation. The schema does not know
 * them.
 * `@flatten` replaces an object by its fields. `@lowerCase` returns an enum in lower case. `@unset(as: …)` replaces null
 * by a value. `@listed` on a variable sets it by default to the values of its enum that the schema marks as listed, and
 * `@single` on a variable that is a list takes one value, which GraphQL makes a list. What they cannot say of a field is said by its fragment, and of a whole answer by the `answer` of the route.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { z } from 'zod'

const known = new Set(['flatten', 'listed', 'lowerCase', 'single', 'unset'])

type Directed = { directives?: FieldNode['directives'] | VariableDefinitionNode['directives'] }

export const directiveOf = ({ directives }: Directed, name: string): DirectiveNode | undefined =>
  directives?.find((directive) => directive.name.value === name)

type Values = Record<string, unknown>

/** The value of `@unset` that replaces null; undefined if null stays null. */
export const unsetOf = (node: Directed): unknown => {
  const [as] = directiveOf(node, 'unset')?.arguments ?? []
  return as && valueFromASTUntyped(as.value)
}

export const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** What a value in REST may depend on besides the field. */
type Beside = {
  /** The other fields of the selection, as the schema answers them. */
  object: Record<string, unknown>
  /** The variables of the operation. */
  values: Record<string, unknown>
}

/** What REST says of a field otherwise than the schema. */
export type RestDirectives = {
  /** Callers of the route never get null. */
  isGiven?: true
  /** What `of` answers. */
  schema?: z.ZodType
  /** The value in REST. */
  of?(value: unknown, beside: Beside): unknown
}

const said = new WeakMap<FieldNode, RestDirectives>()

export const restDirectivesOf = (field: FieldNode): RestDirectives => said.get(field) ?? {}

/** Says something of the fields of a fragment, by their keys. */
export const say = (
  { name, selectionSet }: FragmentDefinitionNode,
  says: Record<string, RestDirectives>,
) => {
  for (const [key, item] of Object.entries(says)) {
    const field = selectionSet.selections.find(
      (selection) => selection.kind === Kind.FIELD && keyOf(selection) === key,
    )
    if (!field) throw new Error(`${name.value} has no field ${key}`)
    said.set(field as FieldNode, item)
  }
}

type Change = {
  /** The keys that replace the object, with their values for when it is null. */
  flattened?: Record<string, unknown>
  lowerCase?: boolean
  of?: RestDirectives['of']
  unset?: unknown
  inside?: Shape
}

/**
 * The changes of an object in the answer, by key. Nested objects always have an entry. A key without an entry is a
 * leaf, which may be any JSON.
 */
export type Shape = Map<string, Change>

export type Fragments = Map<string, FragmentDefinitionNode>

export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )

/** The fields of a selection, including those of its fragments. */
export const fieldsOf = ({ selections }: SelectionSetNode, fragments: Fragments): FieldNode[] =>
  selections.flatMap((selection: SelectionNode) => {
    if (selection.kind === Kind.FIELD) return selection
    const set =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet
    return set ? fieldsOf(set, fragments) : []
  })

/** The keys of a selection in the answer, each with the value that replaces null. */
const keysOf = (set: SelectionSetNode, fragments: Fragments): Record<string, unknown> =>
  Object.assign(
    {},
    ...fieldsOf(set, fragments).map((field) =>
      field.selectionSet && directiveOf(field, 'flatten')
        ? keysOf(field.selectionSet, fragments)
        : { [keyOf(field)]: unsetOf(field) ?? null },
    ),
  )

const shapeOf = (set: SelectionSetNode, fragments: Fragments): Shape => {
  const shape: Shape = new Map()
  for (const field of fieldsOf(set, fragments)) {
    const { selectionSet } = field
    const inside = selectionSet && shapeOf(selectionSet, fragments)
    const unset = unsetOf(field)
    const { of } = restDirectivesOf(field)
    const change: Change = {
      ...(inside && { inside: new Map([...(shape.get(keyOf(field))?.inside ?? []), ...inside]) }),
      ...(selectionSet &&
        directiveOf(field, 'flatten') && { flattened: keysOf(selectionSet, fragments) }),
      ...(directiveOf(field, 'lowerCase') && { lowerCase: true }),
      ...(of && { of }),
      ...(unset !== undefined && { unset }),
    }
    if (Object.keys(change).length > 0) shape.set(keyOf(field), change)
  }
  return shape
}

/** The operation without the directives of REST, and the changes of its answer. */
export const readDirectives = (
  written: DocumentNode,
): { operation: DocumentNode; shape: Shape | undefined } => {
  const fragments = fragmentsOf(written)
  const [shape] = written.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? shapeOf(definition.selectionSet, fragments)
      : [],
  )
  const operation = visit(written, {
    Directive: ({ name }) => (known.has(name.value) ? null : undefined),
  })
  return { operation, shape }
}

const inLowerCase = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inLowerCase)
    : typeof value === 'string'
      ? value.toLowerCase()
      : value

/** A GraphQL answer in the shape of REST, without the fields of `optional` that are null. */
export const answerOf = (
  value: unknown,
  shape: Shape | undefined,
  optional: ReadonlySet<string>,
  values: Values = {},
): unknown => {
  if (!shape || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => answerOf(item, shape, optional, values))
  const answer: Values = {}
  const put = (key: string, child: unknown) => {
    if (child !== null || !optional.has(key)) answer[key] = child
  }
  for (const key in value) {
    const change = shape.get(key)
    const child = (value as Values)[key]
    if (change) {
      const inside = answerOf(child, change.inside, optional, values)
      putChanged(put, key, inside, change, { object: value as Values, values })
    } else put(key, child)
  }
  return answer
}

const putChanged = (
  put: (key: string, child: unknown) => void,
  key: string,
  child: unknown,
  { flattened, lowerCase, of, unset }: Change,
  beside: Beside,
): void => {
  if (flattened)
    for (const name in child ?? flattened) put(name, ((child ?? flattened) as Values)[name])
  else if (child === null && unset !== undefined) put(key, unset)
  else if (of) put(key, of(child, beside))
  else put(key, lowerCase ? inLowerCase(child) : child)
}
