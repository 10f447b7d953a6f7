/** The class of all errors of calls. Callers see the union `TesseraError`. */

export type ValidationCode = 'VALIDATION_FAILED' | 'INVALID_PARAMETERS' | 'INVALID_NUMBER_LINES'

/** A rejected field of a request, such as `userId` or `input.user.externalId`. */
export type FieldFault = { field: string; code: string; message: string }

/** A GraphQL error as the server sent it. */
export type GraphqlError = {
  message: string
  path?: readonly (string | number)[]
  extensions?: {
    code?: string
    retryAfter?: number
    errors?: { path: string[]; code: string; message: string }[]
  } & Record<string, unknown>
}

export type Common = Error & {
  /** The HTTP status; undefined if there was no answer. */
  status: number | undefined
  /** Id of the request, for support. */
  requestId: string | undefined
  /** Seconds to wait before another attempt, if the server says so. */
  retryAfterSeconds: number | undefined
  /** For GraphQL: all errors, and the data returned with them. */
  graphql: { errors: readonly GraphqlError[]; data: unknown } | undefined
}

type Details = Partial<
  Pick<Common, 'status' | 'requestId' | 'retryAfterSeconds' | 'graphql'> & {
    fields: FieldFault[]
    cause: unknown
  }
>

const validationCodes: string[] = [
  'VALIDATION_FAILED',
  'INVALID_PARAMETERS',
  'INVALID_NUMBER_LINES',
] satisfies ValidationCode[]

export class Fault extends Error {
  override readonly name = 'TesseraError'
  readonly code: string
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly graphql: Common['graphql']
  declare readonly fields?: readonly FieldFault[]

  constructor(code: string, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.graphql = details.graphql
    if (validationCodes.includes(code)) this.fields = details.fields ?? []
  }
}

const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** The error for a list of GraphQL errors. The first one determines it. */
export const graphqlFault = (
  errors: readonly GraphqlError[],
  data: unknown,
  { headers, status }: Pick<Response, 'headers' | 'status'>,
): Fault => {
  const [{ message, extensions } = { message: 'The operation failed' }] = errors as GraphqlError[]
  const fields = extensions?.errors?.map(({ path, ...fault }) => ({
    field: path.join('.'),
    ...fault,
  }))
  return new Fault(extensions?.code ?? 'INTERNAL', message, {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: extensions?.retryAfter ?? retryAfterOf(headers),
    graphql: { errors, data },
    ...(fields && { fields }),
  })
}

/** The error for a response with a status of 400 or more and this body. */
export const faultOf = ({ status, headers }: Response, text: string): Fault => {
  let body: { errorCode?: string; message?: string; errors?: unknown; requestId?: string } = {}
  try {
    // The only event of a refused stream contains the reason.
    const [, event] = /^data: ?(.+)$/m.exec(text) ?? []
    body = JSON.parse(event ?? text) ?? {}
  } catch {
    // A proxy answers with its own page.
  }
  const { errorCode, message = '', errors, requestId } = body
  if (errorCode === undefined && Array.isArray(errors))
    return graphqlFault(errors as GraphqlError[], undefined, { headers, status })
  const details: Details = {
    status,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers),
    ...(Array.isArray(errors) && { fields: errors as FieldFault[] }),
  }
  return errorCode === undefined
    ? new Fault('UNREADABLE_ANSWER', `The answer was ${status}, and not by Tessera`, details)
    : new Fault(errorCode, message, details)
}
