/** REST with the types of `openapi.json`. */
import createFetch from 'openapi-fetch'
import type { paths } from './generated/paths.ts'
import type { CallOptions } from './options.ts'
import { idempotencyHeader, type Transport } from './transport.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [NonNullable<paths[P][M]>] extends [never] ? never : P
}[keyof paths]

/** Removes keys that cannot have a value. */
type Given<T> = { [K in keyof T as [NonNullable<T[K]>] extends [never] ? never : K]: T[K] }

type Parameters<Op> = Op extends { parameters: infer P }
  ? Given<Pick<P, keyof P & ('path' | 'query')>>
  : object

type Body<Op> = Op extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : Op extends { requestBody?: infer R }
    ? NonNullable<R> extends { content: { 'application/json': infer B } }
      ? [NonNullable<R>] extends [never]
        ? object
        : { body?: B }
      : object
    : object

/** The input of a call: `path` and `query` parameters, and the `body`. */
export type RequestOf<P extends keyof paths, M extends Method> = Parameters<paths[P][M]> &
  Body<paths[P][M]> &
  CallOptions

/** The result of a call: the documented envelope, with the result in `data`. */
export type AnswerOf<P extends keyof paths, M extends Method> = paths[P][M] extends {
  responses: infer R
}
  ? R[keyof R] extends { content: { 'application/json': infer A } }
    ? A
    : undefined
  : never

/** The argument may be omitted if everything in it is optional. */
type Sent<R> = object extends R ? [request?: R] : [request: R]

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...request: Sent<RequestOf<P, M>>
) => Promise<AnswerOf<P, M>>

/** An untyped call. The caller has checked the types. */
export type AnyCall = (
  path: string,
  request?: { path?: object; query?: object; body?: unknown } & CallOptions,
) => Promise<unknown>

type Engine = {
  request(
    method: string,
    path: string,
    init: { params: object; body?: unknown; headers: Record<string, string>; signal?: AbortSignal },
  ): Promise<{ data: unknown }>
}

/** Functions for the methods of REST. */
export const createRest = (transport: Transport) => {
  const engine = createFetch<paths>({
    baseUrl: transport.baseUrl,
    // All lists of the API are separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: (request) => transport.send(request),
  }) as unknown as Engine

  const call =
    (method: Method): AnyCall =>
    async (path, { path: inPath, query, body, signal, idempotencyKey } = {}) => {
      const key = method === 'post' ? (idempotencyKey ?? crypto.randomUUID()) : undefined
      const { data } = await engine.request(method, path, {
        params: { path: inPath, query },
        ...(body !== undefined && { body }),
        headers: key === undefined ? {} : { [idempotencyHeader]: key },
        ...(signal && { signal }),
      })
      return data
    }

  return {
    get: call('get') as Call<'get'>,
    post: call('post') as Call<'post'>,
    patch: call('patch') as Call<'patch'>,
    delete: call('delete') as Call<'delete'>,
  }
}
