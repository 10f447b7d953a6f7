/** Shared by all pages. Pages are clients of the schema without a key, and load only their own files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, execute, type GraphQLSchema, parse, validate } from 'graphql'
import type { PageLanguage } from '../generated/prisma/enums.ts'
import type { Context } from '../kit/access/context.ts'
import type { ErrorCode, TesseraError } from '../kit/errors.ts'
import { faultLevel, toTesseraError } from '../kit/http/error-mapping.ts'
import type { Runtime } from '../kit/runtime.ts'
import { type Notice, noticesIn } from './texts/notices.ts'
import { languageOf } from './texts/page-language.ts'

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

type OwnNotices = Partial<Record<ErrorCode, Notice>>

/**
 * Answers the errors of a scope with a readable page.
 * @param notices in English, or a function for pages that speak the language of the visitor
 */
export const answerErrorsAsPages = (
  scope: FastifyInstance,
  { log }: Pick<Runtime, 'log'>,
  notices: OwnNotices | ((language: PageLanguage) => OwnNotices),
  send: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    notice: Notice,
    language: PageLanguage,
  ) => unknown,
): void => {
  const noticeOf = ({ code, status, message }: TesseraError, language: PageLanguage): Notice => {
    const own = (typeof notices === 'function' ? notices(language) : notices)[code]
    if (own) return own
    const { tooMany, unavailable, failed, refused } = noticesIn(language)
    if (status === 429) return tooMany
    if (status === 503) return unavailable
    const [title, text] = refused
    return status >= 500 ? failed : [title, text ?? message]
  }
  scope.setErrorHandler((error, request, reply) => {
    const known = toTesseraError(error)
    if (known.status >= 500)
      log[faultLevel(error, known)]({ err: error, requestId: request.id }, 'a page failed')
    if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
    const language = typeof notices === 'function' ? languageOf(request) : 'EN'
    return send(request, reply, known.status, noticeOf(known, language), language)
  })
}
