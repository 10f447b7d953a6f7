/** Documents that were found to be valid are remembered; others are refused early. */
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
import { checkSize, limits } from './graphql-limits.ts'

const maxBytes = 16 * 1024 * 1024
/** What a token takes in memory, with the part of the tree that it stands for. */
const bytesOfToken = 500

/** Each error may search the whole schema for words that are alike. */
const maxErrors = 5

/** Compares fields pair by pair, so it comes last. */
const pairwise = OverlappingFieldsCanBeMergedRule
const linear = specifiedRules.filter((rule) => rule !== pairwise)

const bytesOf = ({ loc, tokenCount = limits.tokens }: DocumentNode & { tokenCount?: number }) =>
  2 * (loc?.source.body.length ?? 0) + bytesOfToken * tokenCount

const findFaults = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
  const faults = validate(schema, document, linear, { maxErrors })
  if (faults.length > 0) return faults
  try {
    checkSize(schema, document)
  } catch (error) {
    return [error as GraphQLError]
  }
  return validate(schema, document, [pairwise], { maxErrors })
}

/** Parses and validates for HTTP and WebSocket. Only valid documents take memory. */
export const createDocuments = (schema: GraphQLSchema) => {
  const known = new LRUCache<string, DocumentNode>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const valid = new WeakSet<DocumentNode>()
  return {
    /** @throws GraphQLError for what is no document, or has too many tokens */
    parse: (text: string): DocumentNode =>
      known.get(text) ?? parse(text, { maxTokens: limits.tokens }),
    /** Why a document is not executed; empty when it may be. */
    validate: (document: DocumentNode): readonly GraphQLError[] => {
      if (valid.has(document)) return []
      const faults = findFaults(schema, document)
      if (faults.length === 0) {
        valid.add(document)
        known.set(document.loc?.source.body ?? '', document)
      }
      return faults
    },
  }
}
