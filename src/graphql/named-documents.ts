/** Documents named by their hash or by an id that the operator has listed. */
import { hash } from 'node:crypto'
import type { DocumentNode, GraphQLError } from 'graphql'
import { TesseraError } from '../kit/errors.ts'
import type { Documents } from './documents.ts'
import { refusal, requestError } from './faults.ts'
import type { TrustedDocuments } from './trusted-documents.ts'

/** Not validated yet: a client can send anything under these names. */
export type Params = Partial<
  Record<'query' | 'documentId' | 'operationName' | 'variables' | 'extensions', unknown>
>

const sha256 = (text: string) => hash('sha256', text)

const badRequest = (message: string): GraphQLError =>
  refusal(new TesseraError('BAD_REQUEST', { message }))

/** The hash that Apollo's protocol puts into the extensions, in lower case; null where there is none. */
const persistedHash = ({ extensions }: Params): string | null => {
  const persisted = (extensions as { persistedQuery?: unknown } | null | undefined)?.persistedQuery
  if (persisted === undefined || persisted === null) return null
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown }
  if (version !== 1 || typeof sha256Hash !== 'string' || !/^[\da-f]{64}$/i.test(sha256Hash))
    throw badRequest('persistedQuery must have the version 1 and a sha256Hash of 64 hex digits')
  return sha256Hash.toLowerCase()
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

export type NamedDocuments = ReturnType<typeof createNamedDocuments>

/**
 * `onlyTrusted` refuses every unlisted document, however it is sent.
 */
export const createNamedDocuments = (
  documents: Documents,
  trusted: TrustedDocuments,
  onlyTrusted: boolean,
) => {
  const textOf = (id: string) => trusted.textOf(id) ?? documents.textOf(id)

  /** @throws GraphQLError */
  const named = (id: string): string => {
    const text = textOf(id)
    if (text === undefined) throw requestError('PERSISTED_QUERY_NOT_FOUND')
    return text
  }

  /** @throws GraphQLError */
  const queryOf = (params: Params): unknown => {
    const { query, documentId } = params
    if (!isMissing(documentId)) {
      if (typeof documentId !== 'string') throw badRequest('documentId must be a string')
      if (!isMissing(query)) throw badRequest('Send either query or documentId')
      return named(documentId.replace(/^sha256:/, ''))
    }
    const hash = persistedHash(params)
    if (hash === null) return query
    if (isMissing(query)) return named(hash)
    if (typeof query === 'string' && sha256(query) !== hash)
      throw refusal(new TesseraError('PERSISTED_QUERY_MISMATCH'))
    return query
  }

  return {
    /**
     * The same parameters with the text of their document.
     * @throws GraphQLError for a document that is unknown, untrusted, or does not match its hash
     */
    resolve: ({ documentId, ...params }: Params): Params => {
      const query = queryOf({ documentId, ...params })
      if (isMissing(query)) throw badRequest('There is neither a query nor a documentId')
      if (onlyTrusted && !(typeof query === 'string' && trusted.has(query)))
        throw refusal(new TesseraError('DOCUMENT_NOT_TRUSTED'))
      // Some clients send an empty name.
      return { ...params, query, operationName: params.operationName || undefined }
    },
    /** Caches a valid document under the hash that came with it. */
    keep: (params: Params, document: DocumentNode): void => {
      const hash = persistedHash(params)
      if (hash !== null) documents.setHash(document, hash)
    },
  }
}
