/** Executes the operation of a route and answers with the documented envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ExecutionResult,
  execute,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  validate,
} from 'graphql'
import type { z } from 'zod'
import type { Context } from '../core/context.ts'
import { type FieldError, TesseraError } from '../core/errors.ts'
import { listFaults } from '../core/pagination.ts'
import { check } from '../core/validation.ts'
import { withoutNulls } from './answer.ts'
import type { Route } from './route.ts'

type Source = 'path' | 'query' | 'body'
export type Variable = { name: string; type: GraphQLInputType; source: Source }

export const operationOf = ({ operation }: Route): OperationDefinitionNode =>
  operation.definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode

/** The variables of a route's operation and where their values come from. */
export const variablesOf = (schema: GraphQLSchema, route: Route): Variable[] =>
  (operationOf(route).variableDefinitions ?? []).map((definition: VariableDefinitionNode) => {
    const name = definition.variable.name.value
    const source = route.path.includes(`{${name}}`) ? 'path' : name === 'input' ? 'body' : 'query'
    return { name, source, type: typeFromAST(schema, definition.type as never) as GraphQLInputType }
  })

type Values = Record<string, unknown>

/** Text of a path or a query string as the JSON value that a variable of this type takes. */
const fromText = (type: GraphQLInputType, text: unknown): unknown => {
  if (typeof text !== 'string') return text
  switch (getNamedType(type).name) {
    case 'Int':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/** The fields of a body that the operation knows; the others are ignored. */
const pickInput = (type: GraphQLInputType, body: unknown, params: Values): unknown => {
  const named = getNamedType(type)
  if (!isInputObjectType(named) || typeof body !== 'object' || body === null || Array.isArray(body))
    return body
  const input: Values = {}
  for (const name of Object.keys(named.getFields())) {
    const value = params[name] ?? (body as Values)[name]
    if (value !== undefined) input[name] = value
  }
  return input
}

/** Why GraphQL took the variables for wrong: every bad field, in the words of the input's schema. */
const explain = (route: Route, variables: Variable[], values: Values): TesseraError => {
  for (const { name, type, source } of variables) {
    const named = getNamedType(type)
    if (source !== 'body' || !isInputObjectType(named)) continue
    check(named.extensions.schema as z.ZodType, values[name])
  }
  const errors = listFaults(values)
  if (errors.length === 0 && route.notFound) return new TesseraError(route.notFound)
  return new TesseraError('INVALID_PARAMETERS', errors.length > 0 ? { errors } : {})
}

/** The value under the alias `result`, which may stand inside other fields. */
const findResult = (data: Values): Values => {
  let place = data
  while (!('result' in place)) place = Object.values(place)[0] as Values
  return place.result as Values
}

/**
 * Prepares a route: its operation is checked against the schema once, here.
 * @throws Error when the operation does not fit the schema
 */
export const prepare = (schema: GraphQLSchema, route: Route) => {
  const faults = validate(schema, route.operation)
  if (faults.length > 0)
    throw new Error(`${route.method} ${route.path}: ${faults.map(String).join('\n')}`)
  const variables = variablesOf(schema, route)

  /** @throws TesseraError for everything that is the caller's fault */
  return async (request: FastifyRequest, reply: FastifyReply, context: Context) => {
    const params = request.params as Values
    const query = request.query as Values
    const values: Values = {}
    for (const { name, type, source } of variables) {
      if (source === 'body') values[name] = pickInput(type, request.body, params)
      else {
        const value = fromText(type, source === 'path' ? params[name] : query[name])
        if (value !== undefined) values[name] = value
      }
    }
    const { data, errors } = (await execute({
      schema,
      document: route.operation,
      variableValues: values,
      contextValue: context,
    })) as ExecutionResult<Values>
    const error = errors?.[0]
    if (error) throw error.path ? (error.originalError ?? error) : explain(route, variables, values)
    const result = findResult(data as Values)
    if (result.problem !== undefined)
      throw new TesseraError(result.problem as never, {
        message: result.message as string,
        ...(result.errors ? { errors: result.errors as FieldError[] } : {}),
      })
    const { optional, list, message } = route
    const body =
      optional.size > 0
        ? withoutNulls(list ? result.data : result, optional)
        : list
          ? result.data
          : result
    return reply.send({
      message,
      code: 200,
      status: 'success',
      data: body,
      ...(list && { meta: result.meta }),
    })
  }
}
