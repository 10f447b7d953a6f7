/** Caches valid documents and refuses others early. */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { shortened } from '../kit/schema/variable-values.ts'
import { checkNames, checkSize, documentLimits } from './document-limits.ts'
import { coded } from './faults.ts'

const maxBytes = 16 * 1024 * 1024
/** The estimated memory of a token with its part of the syntax tree. */
const bytesOfToken = 500

/** Each error may search the whole schema for similar names. */
const maxErrors = 5

/** Compares fields in pairs, so it comes last. */
const pairwise = OverlappingFieldsCanBeMergedRule
const linear = specifiedRules.filter((rule) => rule !== pairwise)

/** The library counts the tokens when it is given a limit. */
export const tokensOf = ({ tokenCount }: DocumentNode & { tokenCount?: number }): number =>
  tokenCount ?? documentLimits.tokens

const bytesOf = (document: DocumentNode) =>
  2 * (document.loc?.source.body.length ?? 0) + bytesOfToken * tokensOf(document)

const findFaults = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
  try {
    checkNames(document)
    const faults = validate(schema, document, linear, { maxErrors })
    if (faults.length > 0) return faults
    checkSize(schema, document)
  } catch (error) {
    return [error as GraphQLError]
  }
  return validate(schema, document, [pairwise], { maxErrors })
}

export type Documents = ReturnType<typeof createDocuments>

/** Parses and validates for HTTP and WebSocket. Only valid documents are cached. */
export const createDocuments = (schema: GraphQLSchema) => {
  /** Texts of cached documents by their hash. */
  const named = new Map<string, string>()
  const hashes = new WeakMap<DocumentNode, string>()
  const known = new LRUCache<string, DocumentNode>({
    maxSize: maxBytes,
    sizeCalculation: bytesOf,
    dispose: (document) => named.delete(hashes.get(document) ?? ''),
  })
  const valid = new WeakSet<DocumentNode>()
  /** @throws GraphQLError for a syntax error or too many tokens */
  const parseText = (text: string): DocumentNode =>
    known.get(text) ?? parse(text, { maxTokens: documentLimits.tokens })
  /** The reasons to refuse a document; empty when it is valid. */
  const faultsOf = (document: DocumentNode): readonly GraphQLError[] => {
    if (valid.has(document)) return []
    const faults = findFaults(schema, document)
    for (const fault of faults) fault.message = shortened(fault.message)
    if (faults.length === 0) {
      valid.add(document)
      known.set(document.loc?.source.body ?? '', document)
    }
    return faults
  }
  return {
    parse: parseText,
    validate: faultsOf,
    /** Whether a text is that of a cached document. */
    has: (text: string): boolean => known.has(text),
    /** The text of the document cached under this hash. */
    textOf: (hash: string): string | undefined => named.get(hash),
    /** Makes a cached document available under its hash. */
    setHash: (document: DocumentNode, hash: string): void => {
      const text = document.loc?.source.body ?? ''
      if (known.peek(text) !== document) return
      hashes.set(document, hash)
      named.set(hash, text)
    },
    /** The document of a text, or the reasons to refuse it. */
    read: (
      text: string,
      validate = faultsOf,
    ): { document: DocumentNode } | { errors: readonly GraphQLError[] } => {
      try {
        const document = parseText(text)
        const errors = validate(document)
        return errors.length > 0
          ? { errors: coded(errors, 'GRAPHQL_VALIDATION_FAILED') }
          : { document }
      } catch (error) {
        return { errors: coded([error as GraphQLError], 'GRAPHQL_PARSE_FAILED') }
      }
    },
  }
}
