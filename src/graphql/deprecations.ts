/** Tells clients which deprecated parts of the schema their document asks for. */
import type { FastifyReply } from 'fastify'
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'

/** A deprecated field, argument, input field or enum value: `Query.users`, `Query.users(first:)`, `Kind.OLD`. */
type Deprecated = { coordinate: string; reason: string }

/** Both days stand in the reason: `Deprecated on 2027-01-31. Use x. Removed on 2028-01-31.` */
const days = {
  deprecated: /\bDeprecated on (\d{4}-\d\d-\d\d)\b/,
  removed: /\bRemoved on (\d{4}-\d\d-\d\d)\b/,
}

/** What a document names. The values of its variables are not read. */
const deprecatedIn = (schema: GraphQLSchema, document: DocumentNode): Deprecated[] => {
  const found = new Map<string, string>()
  const note = (coordinate: string, reason: string | null | undefined) => {
    if (reason != null) found.set(coordinate, reason)
  }
  const types = new TypeInfo(schema)
  const fieldName = () => `${types.getParentType()?.name}.${types.getFieldDef()?.name}`
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => note(fieldName(), types.getFieldDef()?.deprecationReason),
      Argument: ({ name }) =>
        note(
          types.getDirective()
            ? `@${types.getDirective()?.name}(${name.value}:)`
            : `${fieldName()}(${name.value}:)`,
          types.getArgument()?.deprecationReason,
        ),
      EnumValue: () => {
        const value = types.getEnumValue()
        note(`${types.getInputType()}.${value?.name}`.replace('!', ''), value?.deprecationReason)
      },
      ObjectField: ({ name }) => {
        const type = types.getParentInputType()
        const fields = type && 'getFields' in type ? type.getFields() : {}
        const field = fields[name.value as keyof typeof fields] as
          | { deprecationReason?: string | null }
          | undefined
        note(`${type}.${name.value}`.replace('!', ''), field?.deprecationReason)
      },
    }),
  )
  return Array.from(found, ([coordinate, reason]) => ({ coordinate, reason }))
}

const earliest = (day: RegExp, list: readonly Deprecated[]): number =>
  Math.min(
    ...list.map(({ reason }) => Date.parse(day.exec(reason)?.[1] ?? '')).filter(Number.isFinite),
  )

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with the earliest of the days. */
const sayInHeaders = (reply: FastifyReply, list: readonly Deprecated[]) => {
  const [since, until] = [earliest(days.deprecated, list), earliest(days.removed, list)]
  reply.header('link', '</docs/graphql/changelog>; rel="deprecation"; type="text/html"')
  if (Number.isFinite(since)) reply.header('deprecation', `@${since / 1000}`)
  if (Number.isFinite(until)) reply.header('sunset', new Date(until).toUTCString())
}

/** `extensions.deprecations` of an answer, and headers where the answer has its own. */
export const sayDeprecations = (schema: GraphQLSchema): Plugin<Context> => {
  const known = new WeakMap<DocumentNode, Deprecated[]>()
  return {
    onExecute: ({ args: { document, contextValue } }) => {
      const deprecations = known.get(document) ?? deprecatedIn(schema, document)
      known.set(document, deprecations)
      if (deprecations.length === 0) return
      const { reply } = contextValue as { reply?: FastifyReply }
      if (reply) sayInHeaders(reply, deprecations)
      return {
        onExecuteDone: ({ result }) => {
          if (Symbol.asyncIterator in result) return
          const answer = result as ExecutionResult
          answer.extensions = { ...answer.extensions, deprecations }
        },
      }
    },
  }
}
