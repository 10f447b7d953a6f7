/** GraphQL errors as callers see them, and the HTTP statuses of their answers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ExecutionResult, GraphQLError } from 'graphql'
import {
  type ErrorCode,
  errorTable,
  nameOfFieldErrorCode,
  pathOf,
  TesseraError,
} from '../kit/errors.ts'
import { faultLevel, isUnknown, toTesseraError } from '../kit/http/error-mapping.ts'
import type { Logger } from '../kit/observability/log.ts'
import { errorTypeFor } from './accept.ts'

/** How the library sees an error: `spec` errors get 200 under `application/json`. */
type HttpExtension = { status?: number; headers?: Record<string, string>; spec?: boolean }

const headersOf = ({ retryAfter }: TesseraError): Record<string, string> => ({
  ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
})

const extensionsOf = (error: TesseraError, spec: boolean) => {
  const { code, status, errors, retryAfter, cell, hint } = error
  const { right } = error.data as { right?: string }
  return {
    code,
    ...(cell !== undefined && { cell }),
    ...(hint !== undefined && { hint }),
    ...(right !== undefined && { right }),
    ...(errors && {
      errors: errors.map(({ field, code, message }) => ({
        path: pathOf(field),
        code: nameOfFieldErrorCode(code),
        message,
      })),
    }),
    ...(retryAfter !== undefined && { retryAfter }),
    http: {
      status,
      ...(spec && { spec }),
      headers: headersOf(error),
    } satisfies HttpExtension,
  }
}

/** An error of our table whose status is the same under both media types. */
export const refusal = (error: TesseraError): GraphQLError =>
  new GraphQLError(error.messageInGraphql, { extensions: extensionsOf(error, false) })

/** An error of our table in a well-formed operation, which is not executed. */
export const requestError = (
  code: ErrorCode,
  details: { message?: string; retryAfter?: number } = {},
): GraphQLError => {
  const error = new TesseraError(code as 'BAD_REQUEST', details)
  return new GraphQLError(error.message, { extensions: extensionsOf(error, true) })
}

const httpOf = ({ extensions }: GraphQLError) => extensions.http as HttpExtension | undefined

/** Our codes for the library's own error codes. */
const inTable = (error: GraphQLError): GraphQLError => {
  if (httpOf(error)?.status === 405) error.extensions.code = 'METHOD_NOT_ALLOWED'
  return error
}

/** Any thrown error as a caller may see it: never a stack, SQL or the code of a library. */
export const createMask =
  (log: Logger) =>
  (error: unknown): GraphQLError => {
    let cause = error
    while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
    if (cause instanceof GraphQLError) return inTable(error as GraphQLError)
    // An error outside of a field comes from an invalid document or invalid variables.
    const isUnreadable = cause instanceof SyntaxError || cause instanceof RangeError
    const known =
      !(error instanceof GraphQLError) && isUnreadable
        ? new TesseraError('BAD_REQUEST')
        : toTesseraError(cause)
    if (known.status >= 500) log[faultLevel(cause, known)]({ err: cause }, 'a field failed')
    return new GraphQLError(known.messageInGraphql, {
      ...(error instanceof GraphQLError && {
        nodes: error.nodes ?? null,
        path: error.path ?? null,
      }),
      extensions: extensionsOf(known, false),
    })
  }

/** Whether errors left no data: each root field is null because of its own error. */
const leftNothing = ({ data, errors = [] }: ExecutionResult): boolean => {
  if (!data) return true
  const failed = new Set(errors.map(({ path }) => path?.[0]))
  return Object.entries(data).every(([name, value]) => value === null && failed.has(name))
}

/** The same errors, with this code for those without one. */
export const coded = (errors: readonly GraphQLError[], code: ErrorCode) => {
  for (const error of errors) error.extensions.code ??= code
  return errors
}

/**
 * Sets the status of an answer with errors. With data, it is 200. Without data, the whole operation was refused:
 * the answer has no `data`, and the most severe error decides the status.
 */
export const settleStatus = (result: ExecutionResult): ExecutionResult => {
  if (!result.errors?.length) return result
  // Errors of the document already have codes.
  coded(result.errors, 'INVALID_PARAMETERS')
  if (leftNothing(result)) {
    const { data, ...rest } = result
    for (const error of result.errors) error.extensions.http ??= { status: 400, spec: true }
    return rest
  }
  for (const error of result.errors) delete error.extensions.http
  return result
}

/** The code of an answer without data, if it is in our table and certain that nothing was done. */
export const refusedCodeOf = ({ data, errors }: ExecutionResult): ErrorCode | null => {
  const code = errors?.[0]?.extensions.code as ErrorCode
  if (data !== undefined || errors?.some(isUnknown)) return null
  return Object.hasOwn(errorTable, code) ? code : null
}

/** Errors without their HTTP parts. */
export const withoutHttp = (errors: readonly GraphQLError[]): readonly GraphQLError[] =>
  errors.map((error) => {
    if (!httpOf(error)) return error
    const { http, ...extensions } = error.extensions
    return new GraphQLError(error.message, {
      nodes: error.nodes ?? null,
      source: error.source ?? null,
      positions: error.positions ?? null,
      path: error.path ?? null,
      extensions,
    })
  })

/** The answer with an error from before a request was parsed as GraphQL. */
export const errorAnswerOf = (error: TesseraError) => {
  const { http, ...extensions } = extensionsOf(error, false)
  const body = { errors: [{ message: error.message, extensions }] }
  return { status: error.status, headers: http.headers, body }
}

/** Sends it. */
export const sendGraphqlError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: TesseraError,
): FastifyReply => {
  const { status, headers, body } = errorAnswerOf(error)
  request.answeredError = isUnknown(error) ? null : error.code
  return reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...headers })
    .type(`${errorTypeFor(request.headers.accept)}; charset=utf-8`)
    .send(JSON.stringify(body))
}

/** Whether a request is for GraphQL. */
export const isForGraphql = ({ url }: { url: string }): boolean => /^\/graphql(?![^/?#])/.test(url)
