/** JSON files of `@tessera/client` about the schema, for caches and code generators. */
import { minifyIntrospection } from '@gql.tada/internal'
import { type GraphQLSchema, introspectionFromSchema, isAbstractType } from 'graphql'
import { scalarTypes } from './scalar-types.ts'

/** The types of each interface and union, as `possibleTypes` of Apollo's cache takes them. */
export const possibleTypesOf = (schema: GraphQLSchema): Record<string, string[]> =>
  Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter(isAbstractType)
      .map((type) => [
        type.name,
        schema
          .getPossibleTypes(type)
          .map(({ name }) => name)
          .sort(),
      ]),
  )

/** The introspection that a normalized cache needs: types and fields, without arguments, inputs and descriptions. */
export const cacheIntrospectionOf = (schema: GraphQLSchema): object => {
  const result = introspectionFromSchema(schema, { descriptions: false, oneOf: true })
  const { __schema } = minifyIntrospection(result)
  const types = __schema.types
    .filter(({ kind }) => kind !== 'INPUT_OBJECT')
    .map((type) =>
      'fields' in type
        ? { ...type, fields: type.fields.map(({ name, type }) => ({ name, type, args: [] })) }
        : type,
    )
  return { __schema: { ...__schema, types, directives: [] } }
}

/** Contents by file name. */
export const clientFiles = (schema: GraphQLSchema): Record<string, string> => ({
  'possibleTypes.json': `${JSON.stringify(possibleTypesOf(schema), null, 1)}\n`,
  'introspection.json': `${JSON.stringify(cacheIntrospectionOf(schema))}\n`,
  'scalars.json': `${JSON.stringify(scalarTypes, null, 1)}\n`,
})
