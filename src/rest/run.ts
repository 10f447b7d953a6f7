/** Executes the operation of a route and answers with the documented envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql'
import type { Context } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { hasCurrent } from '../kit/http/etag.ts'
import { errorOfRefusal, type Refusal } from '../kit/schema/refusal.ts'
import { check } from '../kit/validation.ts'
import { prepareCodecs } from './codecs.ts'
import { compiled } from './compiled.ts'
import { answerOf } from './directives.ts'
import { prepareEach } from './each.ts'
import { inNamesOf, inputName, takeTemplate, variablePathsOf } from './input-template.ts'
import { pageFaults, preparePaging } from './paging.ts'
import type { Route } from './route.ts'
import {
  argumentsSchemaOf,
  checkInput,
  excessOf,
  faultOf,
  hasList,
  lacksList,
  operationOf,
  readValues,
  type Values,
  type Variable,
  variablesOf,
} from './variables.ts'

/** Whether an input has an enum whose values differ in REST. */
const hasWords = (type: GraphQLInputType, within: GraphQLInputType[] = []): boolean => {
  const inner = getNullableType(type)
  if (isListType(inner)) return hasWords(inner.ofType, within)
  if (isEnumType(inner)) return inner.getValues().some(({ name, value }) => name !== value)
  if (!isInputObjectType(inner) || within.includes(inner)) return false
  return Object.values(inner.getFields()).some((field) => hasWords(field.type, [...within, inner]))
}

/** An input with such values translated to the schema. An invalid value stays invalid. */
const namedWords = (type: GraphQLInputType, value: unknown): unknown => {
  const inner = getNullableType(type)
  if (value === undefined || value === null) return value
  if (isListType(inner))
    return Array.isArray(value) ? value.map((item) => namedWords(inner.ofType, item)) : value
  if (isEnumType(inner)) return inner.getValues().find((item) => item.value === value)?.name ?? ''
  if (!isInputObjectType(inner) || typeof value !== 'object' || Array.isArray(value)) return value
  const fields = inner.getFields()
  return Object.fromEntries(
    Object.entries(value as Values).map(([name, given]) => {
      const field = fields[name]
      return [name, field ? namedWords(field.type, given) : given]
    }),
  )
}

/** The problems that GraphQL found with the variables: every invalid field. */
const explain = (route: Route, variables: Variable[], values: Values): TesseraError => {
  const lists = pageFaults(values)
  const others = variables
    .filter(({ name, source }) => source === 'query' && values[name] !== undefined)
    .filter(({ name }) => !lists.some(({ field }) => field === name))
  const errors = [...lists, ...others.flatMap((other) => faultOf(other, values[other.name]))]
  const missing = errors.length === 0 && notFoundAt(route, 0)
  return missing || new TesseraError('INVALID_PARAMETERS', { errors })
}

/** The error for a null at this depth. */
const notFoundAt = ({ notFound }: Route, depth: number): TesseraError | undefined => {
  const code = notFound[depth] ?? notFound.at(-1)
  return code && new TesseraError(code as 'USER_NOT_FOUND')
}

/** The value of the alias `result`, which may be nested in other fields. Null if one of them is null. */
const findResult = (data: Values): { result: Values | null; depth: number } => {
  let place: Values | null = data
  let depth = 0
  for (; place && !('result' in place); depth++) place = Object.values(place)[0] as Values | null
  return place
    ? { result: place.result as Values | null, depth }
    : { result: null, depth: depth - 1 }
}

export type Run = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
) => Promise<unknown>

/** Prepares a route. A test validates all operations against the schema. */
export const prepare = (schema: GraphQLSchema, route: Route): Run => {
  const { choice } = route
  if (!choice) return prepareOne(schema, route)
  const { by, parameter, variants } = choice
  const runs = new Map<string, Run>()
  for (const [value, variant] of variants) runs.set(value, prepareOne(schema, variant, parameter))
  const chosenBy = ({ body = {}, query }: FastifyRequest): string => {
    if (!by) return (query as Values)[parameter as string] === undefined ? 'absent' : 'given'
    return String(Object.values(check(by, body))[0])
  }
  return async (request, reply, context) => runs.get(chosenBy(request))?.(request, reply, context)
}

/** The parts of a route that do not depend on a request. */
const prepareParts = (schema: GraphQLSchema, route: Route) => {
  const variables = variablesOf(schema, route)
  const { document, template } = takeTemplate(schema, route.operation)
  const inputType = template?.type ?? variables.find(({ source }) => source === 'body')?.type
  return {
    route,
    variables,
    template,
    inputType,
    execute: compiled(schema, document),
    places: template?.places ?? variablePathsOf(route.operation),
    paging: route.paging && preparePaging(route.paging, operationOf(route.operation)),
    args: argumentsSchemaOf(schema, route),
    forms: route.forms && inputType && prepareCodecs(route.forms, inputType),
    each: route.each && inputType && prepareEach(route.each, inputType),
    listType: inputType && hasList(inputType) ? inputType : undefined,
    wordType: inputType && hasWords(inputType) ? inputType : undefined,
  }
}

type Prepared = ReturnType<typeof prepareParts>

/** @throws TesseraError for everything that is the caller's fault */
const valuesOf = (
  { route, variables, template, args, forms, listType, paging }: Prepared,
  { params, query, body }: FastifyRequest,
): Values => {
  if (args) check(args, body === undefined ? {} : body)
  const values = readValues(variables, { params, query, body })
  const excess = excessOf(variables, values)
  if (excess) throw new TesseraError('VALIDATION_FAILED', { errors: [excess] })
  if (template) {
    const isOdd = body !== undefined && (typeof body !== 'object' || Array.isArray(body))
    values[inputName] = isOdd || body === null ? body : template.fill(values)
  }
  if (forms) values[inputName] = forms.read(values[inputName], { body, params })
  if (listType && lacksList(listType, values[inputName])) checkInput(listType, values[inputName])
  if (paging && pageFaults(values).length > 0) throw explain(route, variables, values)
  return values
}

/** Executes the operation; gives its result in the shape of the route. */
const send = async (
  prepared: Prepared,
  values: Values,
  context: Context,
  isChecked = false,
): Promise<unknown> => {
  const { route, variables, inputType, execute, paging, wordType } = prepared
  const page = paging?.read(context.keys.master, values)
  const { data, errors } = await execute(
    {
      ...values,
      ...page?.variables,
      ...(wordType && { [inputName]: namedWords(wordType, values[inputName]) }),
    },
    context,
    isChecked,
  )
  const error = errors?.[0]
  if (error?.path) throw error.originalError ?? error
  if (error) {
    if (inputType) checkInput(inputType, values[inputName])
    if (route.judgedByMutation && !isChecked) return send(prepared, values, context, true)
    throw explain(route, variables, values)
  }
  const { result, depth } = findResult(
    answerOf(data, route.shape, route.optional, values) as Values,
  )
  const missing = result === null && notFoundAt(route, depth)
  if (missing) throw missing
  if (result?.problem !== undefined) throw errorOfRefusal(result as Refusal)
  const answer = route.answer ? route.answer.of(result) : result
  return page ? paging?.write(answer as Values, page) : answer
}

/** @param parameter of the query string that identifies an object as the path does */
const prepareOne = (schema: GraphQLSchema, route: Route, parameter?: string): Run => {
  const prepared = prepareParts(schema, route)
  const { places, forms, each } = prepared

  /** The error for the caller of this route. */
  const callerErrorOf = (error: TesseraError, params: Values, body: unknown): TesseraError => {
    const folded = route.folds[error.code]
    if (folded) return new TesseraError(folded as 'USER_NOT_FOUND')
    const told = inNamesOf(places, forms ? forms.told(error, { body, params }) : error)
    const isOfPath = told.errors?.every(({ field }) => field in params || field === parameter)
    const names = Object.keys(params)
    const depth = Math.max(0, ...(told.errors ?? []).map(({ field }) => names.indexOf(field)))
    return (isOfPath && notFoundAt(route, depth)) || told
  }

  const run = async (request: FastifyRequest, context: Context) => {
    const values = valuesOf(prepared, request)
    const sendInput = (input: unknown, isChecked: boolean) =>
      send(prepared, { ...values, [inputName]: input }, context, isChecked)
    return each ? each(values[inputName], sendInput) : send(prepared, values, context)
  }

  /** @throws TesseraError for everything that is the caller's fault */
  return async (request: FastifyRequest, reply: FastifyReply, context: Context) => {
    const { params, body } = request
    const answer = await run(request, context).catch((error) => {
      throw error instanceof TesseraError ? callerErrorOf(error, params as Values, body) : error
    })
    const { list, message, status, method } = route
    const envelope = {
      ...(message !== undefined && { message, code: status }),
      status: 'success',
      ...(list ? (answer as Values) : { data: answer }),
    }
    reply.code(status)
    if (method !== 'GET') return reply.send(envelope)
    const text = JSON.stringify(envelope)
    if (hasCurrent(request, reply, text)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(text)
  }
}
