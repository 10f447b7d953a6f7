/** Values of REST that differ from the schema: enums as stored in the database, and text that unsets a field. */
import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql'

type Values = Record<string, unknown>

/** Whether an input has an enum whose values differ in REST. */
export const hasWords = (type: GraphQLInputType, within: GraphQLInputType[] = []): boolean => {
  const inner = getNullableType(type)
  if (isListType(inner)) return hasWords(inner.ofType, within)
  if (isEnumType(inner)) return inner.getValues().some(({ name, value }) => name !== value)
  if (!isInputObjectType(inner) || within.includes(inner)) return false
  return Object.values(inner.getFields()).some((field) => hasWords(field.type, [...within, inner]))
}

/** An input with such values translated to the schema. An invalid value stays invalid. */
export const namedWords = (type: GraphQLInputType, value: unknown): unknown => {
  const inner = getNullableType(type)
  if (value === undefined || value === null) return value
  if (isListType(inner))
    return Array.isArray(value) ? value.map((item) => namedWords(inner.ofType, item)) : value
  if (isEnumType(inner)) return inner.getValues().find((one) => one.value === value)?.name ?? ''
  if (!isInputObjectType(inner) || typeof value !== 'object') return value
  const fields = inner.getFields()
  return Object.fromEntries(
    Object.entries(value as Values).map(([name, given]) => {
      const field = fields[name]
      return [name, field ? namedWords(field.type, given) : given]
    }),
  )
}
