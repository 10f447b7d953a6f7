/** Executes the operation of a route and answers with the documented envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql'
import type { Context } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { check } from '../core/validation.ts'
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
import { hasWords, namedWords } from './words.ts'

/** Why GraphQL took the variables for wrong: every bad field. */
const explain = (route: Route, variables: Variable[], values: Values): TesseraError => {
  const lists = pageFaults(values)
  const others = variables
    .filter(({ name, source }) => source === 'query' && values[name] !== undefined)
    .filter(({ name }) => !lists.some(({ field }) => field === name))
  const errors = [...lists, ...others.flatMap((one) => faultOf(one, values[one.name]))]
  const missing = errors.length === 0 && notFoundAt(route, 0)
  return missing || new TesseraError('INVALID_PARAMETERS', { errors })
}

/** The error for a null so many fields deep. */
const notFoundAt = ({ notFound }: Route, depth: number): TesseraError | undefined => {
  const code = notFound[depth] ?? notFound.at(-1)
  return code && new TesseraError(code as 'USER_NOT_FOUND')
}

/** The value under the alias `result`, which may stand inside other fields; null when one of them is. */
const findResult = (data: Values): { result: Values | null; depth: number } => {
  let place: Values | null = data
  let depth = 0
  for (; place && !('result' in place); depth++) place = Object.values(place)[0] as Values | null
  return place
    ? { result: place.result as Values | null, depth }
    : { result: null, depth: depth - 1 }
}

type Run = (request: FastifyRequest, reply: FastifyReply, context: Context) => Promise<unknown>

/** Prepares a route. That its operations fit the schema is known: a test checks all of them. */
export const prepare = (schema: GraphQLSchema, route: Route): Run => {
  const { choice } = route
  if (!choice) return prepareOne(schema, route)
  const [field = ''] = Object.keys(choice.by.shape)
  const runs = new Map<string, Run>()
  for (const [value, variant] of choice.variants) runs.set(value, prepareOne(schema, variant))
  return async (request, reply, context) => {
    const chosen = check(choice.by, request.body === undefined ? {} : request.body)
    return runs.get(String(chosen[field]))?.(request, reply, context)
  }
}

const prepareOne = (schema: GraphQLSchema, route: Route): Run => {
  const variables = variablesOf(schema, route)
  const { document, template } = takeTemplate(schema, route.operation)
  const places = template?.places ?? placesInArguments(route.operation)
  const paging = route.paging && preparePaging(route.paging, operationOf(route.operation))
  const inputType = template?.type ?? variables.find(({ source }) => source === 'body')?.type

  const listType = inputType && hasList(inputType) ? inputType : undefined
  const wordType = inputType && hasWords(inputType) ? inputType : undefined

  /** The error as the caller of this route is told. */
  const toldOf = (error: TesseraError, params: Values): TesseraError => {
    const told = inNamesOf(places, error)
    const isOfPath = told.errors?.every(({ field }) => field in params)
    const names = Object.keys(params)
    const depth = Math.max(0, ...(told.errors ?? []).map(({ field }) => names.indexOf(field)))
    return (isOfPath && notFoundAt(route, depth)) || told
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
      variableValues: {
        ...values,
        ...page?.variables,
        ...(wordType && { [inputName]: namedWords(wordType, values[inputName]) }),
      },
      contextValue: context,
    })) as ExecutionResult<Values>
    const error = errors?.[0]
    if (error?.path) throw error.originalError ?? error
    if (error) {
      if (inputType) checkInput(inputType, values[inputName])
      throw explain(route, variables, values)
    }
    const { result, depth } = findResult(answerOf(data, route.shape, route.optional) as Values)
    const missing = result === null && notFoundAt(route, depth)
    if (missing) throw missing
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
