/** When a field is null, for descriptions that do not say it. */
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** Moments of what has happened once. */
const past = /^(accepted|completed|ended|redeemed|revoked|started)At$/

/** Whether a description says when its field is null. */
export const saysNull = (description: string | null | undefined): boolean =>
  /\bnull\b|\bunless\b|, if /i.test(description ?? '')

const textOf = (typeName: string, { name, type }: GraphQLField<unknown, unknown>): string => {
  if (past.test(name)) return 'Null until then.'
  if (typeName.endsWith('Event') && isCompositeType(getNamedType(type)))
    return 'Null if it no longer exists.'
  return 'Null if there is none.'
}

/** Appends when it is null to the description of each field that does not say it. Mutations say it together. */
export const describeNulls = (schema: GraphQLSchema): void => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || type === schema.getMutationType()) continue
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const { description } = field
      if (isNonNullType(field.type) || saysNull(description)) continue
      // In REST, some of these fields have another value instead of null.
      field.extensions = { description, ...field.extensions }
      field.description = [description, textOf(type.name, field)].filter(Boolean).join(' ')
    }
  }
}
