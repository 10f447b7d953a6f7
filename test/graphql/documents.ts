/** Documents that select everything, generated from the schema. */
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql'
import { schema } from '../../src/schema.ts'

/** All fields of an object type, under aliases where fields of the same name may have other types. */
const fieldsOf = (type: GraphQLObjectType, depth: number, prefix = ''): string =>
  Object.values(type.getFields())
    .flatMap((field) => {
      const inner = getNamedType(field.type)
      const isLeaf = !isObjectType(inner) && !isAbstractType(inner)
      if (field.args.some(isRequiredArgument) || field.name === 'edges') return []
      if (!isLeaf && depth === 0) return []
      const alias = prefix && `${prefix}_${field.name}: `
      return [`${alias}${field.name} ${isLeaf ? '' : selectionOf(inner, depth - 1)}`]
    })
    .join(' ')

/** Selects everything below a type, `depth` levels of objects; lists by their nodes only. */
const selectionOf = (type: GraphQLNamedType, depth: number): string => {
  if (isObjectType(type)) return `{ __typename ${fieldsOf(type, depth)} }`
  if (!isAbstractType(type)) return ''
  const members = schema
    .getPossibleTypes(type)
    .map((member) => `... on ${member.name} { __typename ${fieldsOf(member, depth, member.name)} }`)
  return `{ __typename ${members.join(' ')} }`
}

export type Operation = {
  name: string
  document: string
  args: { name: string; type: string; required: boolean }[]
}

/** One operation for each field of the root type: its arguments are variables of the same names. */
export const operationsOf = (root: 'query' | 'mutation', depth: number): Operation[] => {
  const type = root === 'query' ? schema.getQueryType() : schema.getMutationType()
  return Object.values(type?.getFields() ?? {}).map((field) => {
    const args = field.args.map((arg) => ({
      name: arg.name,
      type: String(arg.type),
      required: isNonNullType(arg.type),
    }))
    const list = (text: (arg: { name: string; type: string }) => string) =>
      args.length > 0 ? `(${args.map(text).join(', ')})` : ''
    const document = `${root} ${list(({ name, type }) => `$${name}: ${type}`)} {
      ${field.name}${list(({ name }) => `${name}: $${name}`)}
      ${selectionOf(getNamedType(field.type), depth)}
    }`
    const [fault] = validate(schema, parse(document))
    if (fault) throw fault
    return { name: field.name, args, document }
  })
}
