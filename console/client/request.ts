import { onlineManager } from '@tanstack/react-query'
import type { Environment } from '../environment.ts'
import type { Operation } from '../operation.ts'
import { renewalCount, renewSession, sameOriginHeader, signInUrl } from './session.ts'

/** An error in one part of the request. */
type Part = { path: readonly (string | number)[]; message: string }

type Fault = { message: string; extensions?: { code?: string; errors?: Part[] } }

/** A request that the server refused, or that did not reach it. */
export class RequestError extends Error {
  readonly code: string
  readonly requestId: string | null
  readonly parts: readonly Part[]
  constructor(
    message: string,
    code: string,
    requestId: string | null = null,
    parts: readonly Part[] = [],
  ) {
    super(message)
    this.name = 'RequestError'
    this.code = code
    this.requestId = requestId
    this.parts = parts
  }
}

/** Whether the requested id is invalid, so that no object can have it. */
export const isNoId = (error: Error | null): boolean =>
  error instanceof RequestError &&
  (error.code === 'INVALID_NODE_ID' || error.parts.some(({ path }) => path.at(-1) === 'id'))

/** A request that does not reach the server marks the connection as lost. Until it is back, queries wait. */
const post = async (body: unknown, environment: Environment, signal?: AbortSignal) => {
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: {
        ...sameOriginHeader,
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        'X-Environment': environment,
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    onlineManager.setOnline(false)
    throw new RequestError('The server cannot be reached.', 'UNREACHABLE')
  }
}

/**
 * Runs an operation of the console. If the session has ended, it waits until the member has signed in again over the
 * page, and is sent again. Nothing was done before that.
 * @throws RequestError with the first error; without a page to sign in over, the browser goes to the sign-in page
 */
export const requestWithId = async <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  environment: Environment,
  signal?: AbortSignal,
): Promise<{ data: Data; requestId: string | null }> => {
  const { id } = operation
  const before = renewalCount()
  const response = await post({ documentId: id, variables }, environment, signal)
  if (response.status === 401) {
    if (await renewSession(before)) return requestWithId(operation, variables, environment, signal)
    location.assign(signInUrl())
  }
  const requestId = response.headers.get('x-request-id')
  const answer = (await response.json().catch(() => null)) as {
    data?: Data
    errors?: Fault[]
  } | null
  const [error] = answer?.errors ?? []
  if (error) {
    const { code = 'UNKNOWN', errors = [] } = error.extensions ?? {}
    throw new RequestError(error.message, code, requestId, errors)
  }
  if (!answer?.data)
    throw new RequestError(`The server answered ${response.status}.`, 'UNKNOWN', requestId)
  return { data: answer.data, requestId }
}

/**
 * The data of an operation.
 * @throws RequestError
 */
export const request = async <Data, Variables>(
  ...query: Parameters<typeof requestWithId<Data, Variables>>
): Promise<Data> => (await requestWithId(...query)).data
