/** Executes the operation of a route and answers with the documented envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  coerceInputValue,
  type ExecutionResult,
  execute,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
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
  const inner = getNullableType(type)
  if (isListType(inner)) return text.split(',').map((part) => fromText(inner.ofType, part))
  switch (getNamedType(type).name) {
    case 'Int':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/** The fields of a body that the operation knows; the others are ignored. No body is an empty one. */
const pickInput = (type: GraphQLInputType, body: unknown = {}, params: Values): unknown => {
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

/** Whether something that is no list stands where a list is due; GraphQL would make a list of it. */
const lacksList = (type: GraphQLInputType, value: unknown): boolean => {
  const inner = getNullableType(type)
  if (value === undefined || value === null) return false
  if (isListType(inner))
    return !Array.isArray(value) || value.some((item) => lacksList(inner.ofType, item))
  return (
    isInputObjectType(inner) &&
    typeof value === 'object' &&
    Object.values(inner.getFields()).some(({ name, type }) =>
      lacksList(type, (value as Values)[name]),
    )
  )
}

/** @throws TesseraError VALIDATION_FAILED in the words of the schemas of the inputs */
const checkBodies = (variables: Variable[], values: Values): void => {
  for (const { name, type, source } of variables) {
    const named = getNamedType(type)
    if (source === 'body' && isInputObjectType(named))
      check(named.extensions.schema as z.ZodType, values[name])
  }
}

/** What is wrong with a value of the path or the query. */
const faultOf = ({ name, type }: Variable, value: unknown): FieldError[] => {
  const inner = getNullableType(type)
  let isBad = false
  coerceInputValue(value, inner, () => {
    isBad = true
  })
  const named = getNamedType(type)
  const wanted = isEnumType(named)
    ? `must be one of ${named
        .getValues()
        .map(({ name }) => name)
        .join(', ')}`
    : 'is not valid'
  return isBad ? [{ field: name, code: 'invalid', message: `${name} ${wanted}` }] : []
}

/** Why GraphQL took the variables for wrong: every bad field. */
const explain = (route: Route, variables: Variable[], values: Values): TesseraError => {
  checkBodies(variables, values)
  const lists = listFaults(values)
  const others = variables
    .filter(({ name, source }) => source === 'query' && values[name] !== undefined)
    .filter(({ name }) => !lists.some(({ field }) => field === name))
  const errors = [...lists, ...others.flatMap((one) => faultOf(one, values[one.name]))]
  if (errors.length === 0 && route.notFound) return new TesseraError(route.notFound)
  return new TesseraError('INVALID_PARAMETERS', errors.length > 0 ? { errors } : {})
}

/** The value under the alias `result`, which may stand inside other fields. */
const findResult = (data: Values): Values => {
  let place = data
  while (!('result' in place)) place = Object.values(place)[0] as Values
  return place.result as Values
}

/** Prepares a route. That its operation fits the schema is known: a test checks all of them. */
export const prepare = (schema: GraphQLSchema, route: Route) => {
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
    if (
      variables.some(({ name, type, source }) => source === 'body' && lacksList(type, values[name]))
    )
      checkBodies(variables, values)
    const { data, errors } = (await execute({
      schema,
      document: route.operation,
      variableValues: values,
      contextValue: context,
    })) as ExecutionResult<Values>
    const error = errors?.[0]
    if (error) throw error.path ? (error.originalError ?? error) : explain(route, variables, values)
    const result = findResult(data as Values)
    if (result.problem !== undefined) {
      const faults = (result.errors ?? []) as FieldError[]
      if (route.notFound && faults.length > 0 && faults.every(({ field }) => field in params))
        throw new TesseraError(route.notFound)
      throw new TesseraError(result.problem as never, {
        message: result.message as string,
        ...(result.errors ? { errors: result.errors as FieldError[] } : {}),
        ...(result.retryAfter ? { retryAfter: result.retryAfter as number } : {}),
      })
    }
    const { optional, list, message, status } = route
    const answer = optional.size > 0 ? withoutNulls(result, optional) : result
    return reply.code(status).send({
      ...(message !== undefined && { message, code: status }),
      status: 'success',
      ...(list ? (answer as Values) : { data: answer }),
    })
  }
}
