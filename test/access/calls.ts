/** A valid call of every root field and every route, made from the schema. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import type { Access } from '../../src/kit/access/context.ts'
import type { Right } from '../../src/kit/access/rights.ts'
import type { Route } from '../../src/rest/route.ts'
import { routes } from '../../src/rest/routes.ts'
import { operationOf, variablesOf } from '../../src/rest/variables.ts'
import { schema } from '../../src/schema.ts'

type Values = Record<string, unknown>

type RootKind = 'query' | 'mutation' | 'subscription'

/** One row of the table. */
export type Call = {
  kind: RootKind
  field: string
  /** Its title in the table. */
  title: string
  /** The required credential; none if everybody may call it. */
  needed: readonly [Access, Right | null]
} & (
  | { face: 'GraphQL'; document: string; variables: Values }
  | {
      face: 'REST'
      route: Route
      /** Variables of its operation. */
      variables: Values
      path: string
      body: Values | undefined
    }
)

/** A valid value of a type, for inputs without a known value. */
const plainValue = (type: GraphQLInputType): unknown => {
  if (isEnumType(type)) return type.getValues()[0]?.name
  const plain: Values = {
    Int: 1,
    SafeInt: 1,
    Float: 1,
    Boolean: false,
    DateTime: '2030-01-01T00:00:00Z',
    TimeZone: 'Europe/Paris',
  }
  return plain[String(type)] ?? 'x'
}

type Input = { name: string; type: GraphQLInputType; defaultValue?: unknown }

/**
 * Gives values to inputs: the known value by route or field and name, and a default if they are required. A function makes a
 * new value for each call.
 */
const createFill = (known: Values) => {
  const fill = (field: string, inputs: readonly Input[], route = field): Values =>
    Object.fromEntries(
      inputs.flatMap((input) => {
        const { name, type } = input
        const named = known[`${route}.${name}`] ?? known[`${field}.${name}`]
        if (named === undefined && !isRequiredArgument(input as GraphQLArgument)) return []
        const value = named ?? known[name] ?? valueFor(field, type)
        return [[name, typeof value === 'function' ? value() : value]]
      }),
    )
  const valueFor = (field: string, type: GraphQLInputType): unknown => {
    const inner = getNullableType(type)
    if (isListType(inner)) return [valueFor(field, inner.ofType)]
    return isInputObjectType(inner)
      ? fill(field, Object.values(inner.getFields()))
      : plainValue(inner)
  }
  return fill
}

type Fill = ReturnType<typeof createFill>

const lists = ['nodes', 'matches', 'agent']

/** Selects ids and slugs of a type, at the top or in the nodes of a list. */
const selectionOf = (type: unknown): string => {
  if (isAbstractType(type)) {
    const members = schema.getPossibleTypes(type)
    return `{ __typename ${members.map((member) => `... on ${member.name} ${selectionOf(member)}`).join(' ')} }`
  }
  if (!isObjectType(type)) return ''
  const isPayload = type.name.endsWith('Payload')
  const fields = Object.values(type.getFields())
  const shown = fields.flatMap(({ name, type, args }) => {
    const inner = getNamedType(type)
    if (args.some(isRequiredArgument)) return []
    if (lists.includes(name) || (isPayload && isObjectType(inner)))
      return `${name} ${selectionOf(inner)}`
    return isLeafType(inner) && /^(id|.*Id|slug|code)$/.test(name) ? name : []
  })
  return `{ __typename ${shown.join(' ')} }`
}

const callOf = (
  kind: RootKind,
  { name, args, type, extensions }: GraphQLField<unknown, unknown>,
  fill: Fill,
  selection = selectionOf(getNamedType(type)),
  group = '',
): Call => {
  const variables = fill(name, args)
  const used = args.filter((arg) => variables[arg.name] !== undefined)
  const [open, close] = group ? [`${group} {`, '}'] : ['', '']
  const list = (text: (arg: GraphQLArgument) => string) =>
    used.length > 0 ? `(${used.map(text).join(', ')})` : ''
  const document = `${kind} ${list((arg) => `$${arg.name}: ${arg.type}`)} {
    ${open} result: ${name}${list((arg) => `${arg.name}: $${arg.name}`)} ${selection} ${close}
  }`
  const title = group ? `${group}.${name}` : name
  const { pothosOptions } = extensions as {
    pothosOptions?: { authScopes?: { key: Call['needed'] } }
  }
  const [access, right] = pothosOptions?.authScopes?.key ?? (['anyone', null] as const)
  const needed = [access, ['anyone', 'operator'].includes(access) ? null : right] as const
  return { kind, field: group || name, title, needed, face: 'GraphQL', document, variables }
}

/** Fields that only group others. */
const groups = new Set(['platform', 'arena'])

const nameOf = (selection: SelectionNode | undefined) =>
  selection?.kind === Kind.FIELD ? selection.name.value : ''

/** The title of the root field of an operation. */
const titleOf = ({ selectionSet }: OperationDefinitionNode): string => {
  const [root] = selectionSet.selections
  const [inner] = (root?.kind === Kind.FIELD && root.selectionSet?.selections) || []
  return groups.has(nameOf(root)) ? `${nameOf(root)}.${nameOf(inner)}` : nameOf(root)
}

/** A body that chooses the first of the operations of a route. */
const chosenBy = ({ choice }: Route): Values => {
  const [field] = Object.keys(choice?.by?.shape ?? {})
  const [value] = choice?.variants.keys() ?? []
  return field ? { [field]: value === 'true' || (value !== 'false' && value) } : {}
}

/** REST uses the stored values of some enums. */
const wordOf = (type: GraphQLInputType, value: unknown): unknown => {
  const inner = getNullableType(type)
  return isEnumType(inner) ? (inner.getValue(String(value))?.value ?? value) : value
}

/** The fields of an input that REST only renames, and the UUIDs by which it names what has several keys. */
const keysOf = ({ forms = {} }: Route, input: unknown): Values =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([field, { name, read }]) => {
      const value = (input as Values | undefined)?.[field]
      if (typeof value === 'string' || Array.isArray(value))
        return read(value, {}) === value ? [[name, value]] : []
      const { id } = (value ?? {}) as { id?: unknown }
      return id === undefined ? [] : [[name, id]]
    }),
  )

/** A body without fields that have another form in REST, except for those of `keysOf`. */
const inForms = (route: Route, body: Values | undefined): Values | undefined => {
  const { forms } = route
  if (!forms || !body) return body
  const same = Object.entries(body).filter(([name]) => !(name in forms))
  return { ...Object.fromEntries(same), ...keysOf(route, body) }
}

/** The body of a request: an input, or the fields that the operation takes. */
const bodyOf = (variables: ReturnType<typeof variablesOf>, values: Values): Values | undefined => {
  const fields = variables.filter(({ source }) => source === 'field')
  return fields.length === 0
    ? (values.input as Values | undefined)
    : Object.fromEntries(fields.map(({ name, type }) => [name, wordOf(type, values[name])]))
}

const routeCallOf = (route: Route, needed: Call['needed'], fill: Fill): Call => {
  const { operation, selectionSet } = operationOf(route.operation)
  const field = nameOf(selectionSet.selections[0])
  const variables = variablesOf(schema, route)
  const values = fill(field, variables, `${route.method} ${route.path}`)
  const flat: Values = {
    ...values,
    ...(values.input as Values),
    ...keysOf(route, values.input),
  }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(flat[name]))
  const query = variables
    .filter(({ name, source }) => source === 'query' && flat[name] !== undefined)
    .map(({ name }) => `${name}=${flat[name]}`)
  return {
    kind: operation as RootKind,
    field,
    title: `${route.method} ${route.path}`,
    needed,
    face: 'REST',
    route,
    variables: values,
    path: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    body: route.choice?.by
      ? { ...bodyOf(variables, values), ...chosenBy(route) }
      : inForms(route, bodyOf(variables, values)),
  }
}

/** All calls: each root field, and after it its routes. */
export const callsOf = (known: Values, ids: Record<string, string>): Call[] => {
  const fill = createFill(known)
  const withRoutes = (call: Call): Call[] => [
    call,
    ...routes
      .filter(({ operation: document }) => {
        const operation = operationOf(document)
        return operation.operation === call.kind && titleOf(operation) === call.title
      })
      .map((route) => routeCallOf(route, call.needed, fill)),
  ]
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field): Call[] => {
      // The same as `node`, several times.
      if (field.name === 'nodes') return []
      if (field.name === 'node')
        return Object.entries(ids).map(([type, id]) => ({
          ...callOf(kind, field, fill, `{ ... on ${type} ${selectionOf(schema.getType(type))} }`),
          title: `node of ${type}`,
          variables: { id: Buffer.from(`${type}:${id}`).toString('base64url') },
        }))
      if (!groups.has(field.name)) return withRoutes(callOf(kind, field, fill))
      const inside = (getNamedType(field.type) as GraphQLObjectType).getFields()
      return Object.values(inside).flatMap((item) =>
        withRoutes(callOf(kind, item, fill, selectionOf(getNamedType(item.type)), field.name)),
      )
    }),
  )
}
