/** The parameters of GraphQL over HTTP: a document, an operation name and variables. */
import type { FastifyRequest } from 'fastify'
import { getOperationAST, type OperationTypeNode } from 'graphql'
import { TesseraError } from '../kit/errors.ts'
import type { Documents } from './documents.ts'
import type { NamedDocuments, Params } from './named-documents.ts'

export const maxOperationsOfBatch = 10

const parsed = (name: string, text: string | null): unknown => {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new TesseraError('BAD_REQUEST', { message: `${name} is not valid JSON` })
  }
}

const paramsOfUrl = (url: string): Params => {
  const [, text = ''] = url.split(/\?(.*)/s)
  const query = new URLSearchParams(text)
  const textOf = (name: string) => query.get(name) || undefined
  return {
    query: textOf('query'),
    documentId: textOf('documentId'),
    operationName: textOf('operationName'),
    variables: parsed('variables', query.get('variables')),
    extensions: parsed('extensions', query.get('extensions')),
  }
}

/**
 * The operation of a request, or the list of a batch.
 * @throws TesseraError BAD_REQUEST
 */
export const paramsOf = ({ method, url, body }: FastifyRequest): Params | Params[] => {
  if (method === 'GET') return paramsOfUrl(url)
  if (typeof body === 'object' && body !== null) return body
  throw new TesseraError('BAD_REQUEST', { message: 'The body must be a JSON object' })
}

/** Each operation of a batch counts as a request. A batch that is too large is refused as a whole. */
export const countOperations = (body: unknown): number =>
  Array.isArray(body) ? Math.min(Math.max(body.length, 1), maxOperationsOfBatch) : 1

/** The kinds of the operations of a request; undefined for those that cannot be parsed. */
export const kindsOf = (
  { documents, named }: { documents: Documents; named: NamedDocuments },
  params: Params | Params[],
): (OperationTypeNode | undefined)[] =>
  [params]
    .flat()
    .slice(0, maxOperationsOfBatch)
    .map((one) => {
      try {
        const { query, operationName } = named.resolve(one)
        const name = typeof operationName === 'string' ? operationName : undefined
        return getOperationAST(documents.parse(String(query)), name)?.operation
      } catch {
        return undefined
      }
    })
