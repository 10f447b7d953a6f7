/** GraphQL queries, mutations and connections. */
import { type AnyDocument, isMutation, type TypedDocument, textOf } from './document.ts'
import { Fault, type GraphqlError, graphqlFault } from './fault.ts'
import type { CallOptions, GraphqlOptions } from './options.ts'
import { requestOf } from './request.ts'
import { idempotencyHeader, type Transport } from './transport.ts'

/** The required selection of a connection. */
export type Connection<T> = {
  nodes: readonly T[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined }
}

/** Variables may be left out where all of them are optional. */
type Rest<Variables, Options> = object extends Variables
  ? [variables?: Variables, options?: Options]
  : [variables: Variables, options?: Options]

/**
 * Runs a query or a mutation and returns its data. The data of a mutation is a union that includes its expected
 * errors.
 */
export type RunGraphql = {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Rest<Variables, GraphqlOptions>
  ): Promise<Data>
  <Data = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    options?: GraphqlOptions,
  ): Promise<Data>
}

/**
 * Iterates over the nodes of a connection and fetches pages on demand. The document takes `$after` and selects
 * `nodes` and `pageInfo { hasNextPage endCursor }`; `select` finds the connection in the data.
 */
export type RunNodes = {
  <Data, Variables extends { after?: unknown }, T>(
    document: TypedDocument<Data, Variables>,
    variables: Omit<Variables, 'after'>,
    select: (data: Data) => Connection<T> | null | undefined,
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<T, void, undefined>
  <Data, T>(
    document: string,
    variables: Record<string, unknown>,
    select: (data: Data) => Connection<T> | null | undefined,
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<T, void, undefined>
}

export type AnyGraphql = (
  document: AnyDocument,
  variables?: object,
  options?: GraphqlOptions,
) => Promise<unknown>

type Result = { data?: unknown; errors?: GraphqlError[] }

export const createGraphql =
  (transport: Transport): AnyGraphql =>
  async (document, variables = {}, { signal, idempotencyKey, onFieldErrors } = {}) => {
    const query = await textOf(document)
    const accept = 'application/graphql-response+json, application/json;q=0.9'
    const request = requestOf(transport.baseUrl, { query, variables, accept }, signal)
    const changes = isMutation(query)
    if (changes) request.headers.set(idempotencyHeader, idempotencyKey ?? crypto.randomUUID())
    const answer = await transport.send(request, !changes)
    const { data, errors } = await answer.json().then(
      (body: Result) => body,
      (cause) => {
        const message = `${request.url} does not answer with JSON`
        throw new Fault('UNREADABLE_ANSWER', message, { cause, status: answer.status })
      },
    )
    if (!errors?.length) return data
    if (!data || !onFieldErrors) throw graphqlFault(errors, data, answer)
    onFieldErrors(errors)
    return data
  }

export async function* nodesOf<T>(
  run: AnyGraphql,
  document: AnyDocument,
  variables: object,
  select: (data: never) => Connection<T> | null | undefined,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for (let after: string | null | undefined; ; ) {
    const data = await run(document, { ...variables, after }, options)
    const connection = select(data as never)
    if (!connection) return
    yield* connection.nodes
    after = connection.pageInfo.endCursor
    if (!connection.pageInfo.hasNextPage || after == null) return
  }
}
