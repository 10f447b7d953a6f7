/** Shared by all pages. Pages are clients of the schema without a key, and load only their own files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, execute, type GraphQLSchema, parse, validate } from 'graphql'
import type { Context } from '../kit/access/context.ts'
import type { ErrorCode, TesseraError } from '../kit/errors.ts'
import { faultLevel, toTesseraError } from '../kit/http/error-mapping.ts'
import type { Runtime } from '../kit/runtime.ts'

export type PageParts = {
  runtime: Runtime
  schema: GraphQLSchema
  /** Counts a request of an anonymous caller. */
  limit(request: FastifyRequest, reply: FastifyReply, caller: null): Promise<unknown>
}

const validated = (schema: GraphQLSchema, text: string): DocumentNode => {
  const document = parse(text)
  const faults = validate(schema, document)
  if (faults.length > 0) throw new Error(`An operation of a page: ${faults.join('\n')}`)
  return document
}

/**
 * An operation of a page, validated against the schema on first use. Returns its data. It has no caller, unless `more`
 * names one.
 * @throws TesseraError of the operation
 */
export const prepareOperation = <T>(
  { runtime, schema }: Pick<PageParts, 'runtime' | 'schema'>,
  text: string,
) => {
  let document: DocumentNode | undefined
  return async (
    request: FastifyRequest,
    variableValues: Record<string, unknown>,
    more: Pick<Partial<Context>, 'callers' | 'header'> = {},
  ): Promise<T> => {
    document ??= validated(schema, text)
    const { id: requestId, ip } = request
    const contextValue = { ...runtime, callers: {}, requestId, ip, ...more }
    const { data, errors } = await execute({ schema, document, variableValues, contextValue })
    if (errors?.[0]) throw errors[0].originalError ?? errors[0]
    return data as T
  }
}

/** A Content-Security-Policy that allows files of this server and what `sources` adds or replaces. */
export const policyOf = (sources: Record<string, string> = {}): string =>
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...sources,
  })
    .map(([name, source]) => `${name} ${source}`)
    .join('; ')

/** Headers of every page. */
export const pageHeaders = (contentSecurityPolicy: string) => ({
  'content-security-policy': contentSecurityPolicy,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
})

/** The readable message of an error. */
export type Notice = [title: string, text: string]

/** Answers the errors of a scope with a readable page. */
export const answerErrorsAsPages = (
  scope: FastifyInstance,
  { log }: Pick<Runtime, 'log'>,
  notices: Partial<Record<ErrorCode, Notice>>,
  send: (request: FastifyRequest, reply: FastifyReply, status: number, notice: Notice) => unknown,
): void => {
  const noticeOf = ({ code, status, message }: TesseraError): Notice => {
    const notice = notices[code]
    if (notice) return notice
    if (status === 429)
      return ['One moment, please', 'Too many requests come from here. Try again shortly.']
    if (status === 503)
      return ['One moment, please', 'The service cannot answer right now. Try again shortly.']
    return status >= 500
      ? ['Something went wrong', 'Please try again in a moment.']
      : ['That did not work', message]
  }
  scope.setErrorHandler((error, request, reply) => {
    const known = toTesseraError(error)
    if (known.status >= 500)
      log[faultLevel(error, known)]({ err: error, requestId: request.id }, 'a page failed')
    if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
    return send(request, reply, known.status, noticeOf(known))
  })
}
