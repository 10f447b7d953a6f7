/** Documents named by their hash or by an id that the operator has listed. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  type OperationTypeNode,
} from 'graphql'
import { z } from 'zod'
import { ConfigError } from '../kit/config/config.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Documents } from './documents.ts'
import { refusal, requestError } from './faults.ts'

/** Texts by id, or the format of Apollo's tools. */
const Manifest = z.union([
  z.object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) }),
  z.record(z.string(), z.string()),
])

const filesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(path, name))
    : [path]

const entriesOf = (file: string): [id: string, text: string][] => {
  const manifest = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Array.isArray(manifest.operations)
    ? manifest.operations.map(({ id, body }) => [id, body])
    : Object.entries(manifest as Record<string, string>)
}

/** @throws ConfigError that names the invalid file */
const readManifests = (path: string): [id: string, text: string][] => {
  try {
    return filesOf(path).flatMap(entriesOf)
  } catch (cause) {
    const why = cause instanceof z.ZodError ? 'is not {id: text}' : (cause as Error).message
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${path}: ${why} (see .env.example)`)
  }
}

type TrustedDocuments = {
  textOf(id: string): string | undefined
  has(text: string): boolean
}

/**
 * Reads a manifest, or all manifests of a folder, once at the start.
 * @param own documents of our own pages, which are always trusted, also by their hashes
 * @throws ConfigError also for an id that looks like a hash but is not the hash of its text
 */
export const readTrustedDocuments = (
  path: string | undefined,
  own: readonly string[],
): TrustedDocuments => {
  const texts = new Map(own.map((text) => [hash('sha256', text), text]))
  for (const [id, text] of path === undefined ? [] : readManifests(path)) {
    const name = id.replace(/^sha256:/, '')
    const sha256 = hash('sha256', text)
    if (/^[\da-f]{64}$/.test(name) && name !== sha256)
      throw new ConfigError(`TRUSTED_DOCUMENTS: ${id} is not the SHA-256 hash of its document`)
    texts.set(name, text).set(sha256, text)
  }
  const trusted = new Set(texts.values())
  return { textOf: (id) => texts.get(id), has: (text) => trusted.has(text) }
}

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
    .map((item) => {
      try {
        const { query, operationName } = named.resolve(item)
        const name = typeof operationName === 'string' ? operationName : undefined
        return getOperationAST(documents.parse(String(query)), name)?.operation
      } catch {
        return undefined
      }
    })
