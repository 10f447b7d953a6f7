/** Executes the operation of a route and answers with the documented envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql'
import type { Context } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { answerOf } from './directives.ts'
import { inNamesOf, inputName, placesInArguments, takeTemplate } from './input-template.ts'
import { pageFaults, preparePaging } from './paging.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import type { Route } from './route.ts'
import {
  checkInput,
  faultOf,
  hasList,
  lacksList,
  operationOf,
  readValues,
  type Values,
  type Variable,
  variablesOf,
} from './variables.ts'

/** Why GraphQL took the variables for wrong: every bad field. */
const explain = (route: Route, variables: Variable[], values: Values): TesseraError => {
  const lists = pageFaults(values)
  const others = variables
    .filter(({ name, source }) => source === 'query' && values[name] !== undefined)
    .filter(({ name }) => !lists.some(({ field }) => field === name))
  const errors = [...lists, ...others.flatMap((one) => faultOf(one, values[one.name]))]
  if (errors.length === 0 && route.notFound) return new TesseraError(route.notFound)
  return new TesseraError('INVALID_PARAMETERS', { errors })
}

/** The value under the alias `result`, which may stand inside other fields; null when one of them is. */
const findResult = (data: Values): Values | null => {
  let place: Values | null = data
  while (place && !('result' in place)) place = Object.values(place)[0] as Values | null
  return place && (place.result as Values | null)
}

/** Prepares a route. That its operation fits the schema is known: a test checks all of them. */
export const prepare = (schema: GraphQLSchema, route: Route) => {
  const variables = variablesOf(schema, route)
  const { document, template } = takeTemplate(schema, route.operation)
  const places = template?.places ?? placesInArguments(route.operation)
  const paging = route.paging && preparePaging(route.paging, operationOf(route.operation))
  const inputType = template?.type ?? variables.find(({ source }) => source === 'body')?.type

  const listType = inputType && hasList(inputType) ? inputType : undefined

  /** The error as the caller of this route is told. */
  const toldOf = (error: TesseraError, params: Values): TesseraError => {
    const told = inNamesOf(places, error)
    const isOfPath = told.errors?.every(({ field }) => field in params)
    return route.notFound && isOfPath ? new TesseraError(route.notFound) : told
  }

  /** @throws TesseraError for everything that is the caller's fault */
  const valuesOf = ({ params, query, body }: FastifyRequest): Values => {
    const values = readValues(variables, { params, query, body })
    if (template) {
      const isOdd = body !== undefined && (typeof body !== 'object' || Array.isArray(body))
      values[inputName] = isOdd || body === null ? body : template.fill(values)
    }
    if (listType && lacksList(listType, values[inputName])) checkInput(listType, values[inputName])
    if (paging && pageFaults(values).length > 0) throw explain(route, variables, values)
    return values
  }

  const run = async (request: FastifyRequest, context: Context) => {
    const values = valuesOf(request)
    const page = paging?.read(context.config.masterKeys, values)
    const { data, errors } = (await execute({
      schema,
      document,
      variableValues: { ...values, ...page?.variables },
      contextValue: context,
    })) as ExecutionResult<Values>
    const error = errors?.[0]
    if (error?.path) throw error.originalError ?? error
    if (error) {
      if (inputType) checkInput(inputType, values[inputName])
      throw explain(route, variables, values)
    }
    const result = findResult(answerOf(data, route.shape, route.optional) as Values)
    if (result === null && route.notFound) throw new TesseraError(route.notFound)
    if (result?.problem !== undefined) throw refusalOf(result as Refusal)
    return page ? paging?.write(result as Values, page) : result
  }

  /** @throws TesseraError for everything that is the caller's fault */
  return async (request: FastifyRequest, reply: FastifyReply, context: Context) => {
    const answer = await run(request, context).catch((error) => {
      throw error instanceof TesseraError ? toldOf(error, request.params as Values) : error
    })
    const { list, message, status } = route
    return reply.code(status).send({
      ...(message !== undefined && { message, code: status }),
      status: 'success',
      ...(list ? (answer as Values) : { data: answer }),
    })
  }
}
