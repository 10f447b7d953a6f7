/** The parameters of a route's path and query string in the OpenAPI document. */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { defaultItems, maxItems } from '../kit/schema/list-size.ts'
import { type Json, leafOf, plainDescription } from './answer-schema.ts'
import { pathSchemaOf } from './body-schema.ts'
import { exampleOf } from './examples.ts'
import type { Route } from './route.ts'
import { operationOf, type Variable } from './variables.ts'

/** Descriptions of parameters that the schema describes for its own forms: global ids, and lists of values. */
export const pathDescriptions: Record<string, string> = {
  agentId: 'UUID of the agent.',
  batchId: 'UUID of the batch.',
  category: 'Only games of this category.',
  deliveryId: 'UUID of the delivery.',
  drawId: 'UUID of the draw.',
  endpointId: 'UUID of the endpoint.',
  event: 'Only deliveries of this event, or of a group such as `arena.*`.',
  externalId: 'Your id of the user.',
  gameId: 'UUID of the game.',
  gameTypes: 'Only these games, separated by commas.',
  grantId: 'UUID of the grant.',
  matchId: 'UUID of the match.',
  memberId: 'UUID of the member.',
  offerId: 'UUID of the offer.',
  partnerId: 'UUID of the partner.',
  playId: 'UUID of the play.',
  sessionId: 'UUID of the session.',
  status: 'Only those of this status.',
  types: 'Events or groups such as `arena.*`, separated by commas. Defaults to all.',
  userId: 'Your id of the user.',
}

/** The descriptions of the arguments and input fields that take the variables of a route. */
const describedBySchema = (schema: GraphQLSchema, { operation }: Route): Map<string, string> => {
  const info = new TypeInfo(schema)
  const found = new Map<string, string>()
  const put = (name: string, input: GraphQLArgument | GraphQLInputField | null | undefined) => {
    const description = input && plainDescription(input)
    if (description) found.set(name, description)
  }
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument: ({ value }) => {
        if (value.kind === Kind.VARIABLE) put(value.name.value, info.getArgument())
      },
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(info.getParentInputType() ?? undefined)
        if (value.kind === Kind.VARIABLE && isInputObjectType(parent))
          put(value.name.value, parent.getFields()[name.value])
      },
    }),
  )
  return found
}

/** The default of a variable in REST, of which a list takes one value. */
const defaultOf = (route: Route, { name, type }: Variable): unknown => {
  const { variableDefinitions = [] } = operationOf(route.written)
  const node = variableDefinitions.find(({ variable }) => variable.name.value === name)
  const value = node?.defaultValue && valueFromASTUntyped(node.defaultValue)
  return Array.isArray(value) && !isListType(getNullableType(type)) ? value[0] : value
}

/** A list in a query is its values, separated by commas. */
const commaSeparated = { style: 'form', explode: false }

export const pageParameters: Record<string, Json> = {
  page: {
    name: 'page',
    in: 'query',
    description: 'Page number, from 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  limit: {
    name: 'limit',
    in: 'query',
    description: `Items per page. More than ${maxItems} counts as ${maxItems}.`,
    schema: { type: 'integer', minimum: 1, maximum: maxItems, default: defaultItems },
  },
}

const references: Record<string, string> = { page: 'Page', limit: 'Limit' }

const pageParameter = (name: string, ownDefault: unknown): Json => {
  const { schema, ...parameter } = pageParameters[name] as Json
  return ownDefault === undefined
    ? { $ref: `#/components/parameters/${references[name]}` }
    : { ...parameter, schema: { ...(schema as Json), default: ownDefault } }
}

export const parameterObject = (schema: GraphQLSchema, route: Route, variable: Variable): Json => {
  const { name, type, source, listed } = variable
  const ownDefault = defaultOf(route, variable) ?? listed
  if (pageParameters[name]) return pageParameter(name, ownDefault)
  const said = pathSchemaOf(schema, route, variable)
  const isList = !said && isListType(getNullableType(type))
  const value = said ?? (isList ? { type: 'array', items: leafOf(type) } : leafOf(type))
  return {
    name,
    in: source,
    ...(source === 'path' && { required: true }),
    description: pathDescriptions[name] ?? describedBySchema(schema, route).get(name),
    ...(isList && commaSeparated),
    schema: { ...value, ...(ownDefault !== undefined && { default: ownDefault }) },
    ...(source === 'path' && { example: exampleOf(value, name, route.path.split('/')[2]) }),
  }
}
