/** Variables of operations: coerced as GraphQL does, but bounded, and refused at the first fault. */
import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputType,
  isLeafType,
  isListType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'

/** Characters of a text before and after the part that is left out. */
const headLength = 150
const tailLength = 150

/** A text that repeats what was sent, which may be of any length. */
export const shortened = (text: string): string =>
  text.length > headLength + tailLength
    ? `${text.slice(0, headLength)} … ${text.slice(-tailLength)}`.toWellFormed()
    : text

/** Bounds of values. Free-form JSON has its own, in bytes. */
export const valueLimits = { keys: 100, items: 1_000, depth: 16 }

type Values = Readonly<Record<string, unknown>>

/** A value above one of the limits, and its place. */
type Excess = { path: (string | number)[]; message: string }

const isAbove = (object: object, count: number): boolean => {
  let found = 0
  for (const _ in object) if (++found > count) return true
  return false
}

/** Whether a value has more keys and items than a message can repeat in a moment. */
const isWide = (value: unknown, left = { parts: valueLimits.keys }): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const isOne = (part: unknown) => --left.parts < 0 || isWide(part, left)
  if (Array.isArray(value)) return value.length > left.parts || value.some(isOne)
  for (const key in value) if (isOne((value as Values)[key])) return true
  return false
}

type Part = [name: string | number, value: unknown, type: GraphQLInputType | undefined]

/** The first excess in the parts of a value. */
const excessInParts = (parts: Part[], depth: number): Excess | null => {
  for (const [name, value, type] of parts) {
    const found = type && excessIn(value, type, depth)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return null
}

/** The first excess in a value of this type. It stops there, and reads only what the type knows. */
export const excessIn = (value: unknown, type: GraphQLInputType, depth = 0): Excess | null => {
  if (typeof value !== 'object' || value === null) return null
  const inner = getNullableType(type)
  const excess = (message: string) => ({ path: [], message })
  if (depth > valueLimits.depth) return excess(`must be at most ${valueLimits.depth} levels deep`)
  if (isListType(inner)) {
    if (!Array.isArray(value)) return excessIn(value, inner.ofType, depth)
    if (value.length > valueLimits.items)
      return excess(`must have at most ${valueLimits.items} items`)
    const items = value.map((item, i): Part => [i, item, inner.ofType])
    return excessInParts(items, depth + 1)
  }
  // GraphQL repeats a value of the wrong kind. Free-form JSON may be of any.
  if (isLeafType(inner))
    return inner.name !== 'JSON' && isWide(value) ? excess('must not be an object or a list') : null
  if (Array.isArray(value)) return isWide(value) ? excess('must be an object') : null
  if (isAbove(value, valueLimits.keys)) return excess(`must have at most ${valueLimits.keys} keys`)
  const fields = inner.getFields()
  const parts = Object.entries(value).map(([name, part]): Part => [name, part, fields[name]?.type])
  return excessInParts(parts, depth + 1)
}

const pathOf = (name: string, path: (string | number)[]) =>
  name + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')

/** The message of GraphQL repeats the whole value, then names its place, and ends with the reason. */
const bounded = ({ message, nodes, originalError }: GraphQLError): GraphQLError => {
  const reason = originalError?.message ?? ''
  const value = message.slice(0, message.length - reason.length)
  return new GraphQLError(shortened(value) + shortened(reason), { nodes: nodes ?? null })
}

/** The values of variables, or the first reason to refuse them. */
export const coerceVariables = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Values,
): { coerced?: Record<string, unknown>; fault?: GraphQLError } => {
  for (const definition of definitions) {
    const name = definition.variable.name.value
    const value = variables[name]
    const type = typeof value === 'object' ? typeFromAST(schema, definition.type) : undefined
    const excess = isInputType(type) && excessIn(value, type)
    if (excess)
      return {
        fault: new GraphQLError(
          `Variable "$${name}" got an invalid value at "${pathOf(name, excess.path)}"; it ${excess.message}`,
          { nodes: definition },
        ),
      }
  }
  const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors: 1 })
  const [first] = errors ?? []
  return first ? { fault: bounded(first) } : { coerced: coerced ?? {} }
}
