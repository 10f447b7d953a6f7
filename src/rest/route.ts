/** What a REST route is: a stored operation of the schema, and the envelope around its answer. */
import { type DocumentNode, parse } from 'graphql'
import type { Access } from '../core/context.ts'
import type { ErrorCode } from '../core/errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Route = {
  method: Method
  /** As the interface writes it: `/v1/users/{userId}/plays`. */
  path: string
  key: Access
  summary: string
  /**
   * Its variables are filled by name: from the path, from the query string, and `$input` from those
   * fields of the body and the path that its type has. What it selects is what is answered: `result`
   * becomes `data`, or, on a list, all of `result` stands beside `status`.
   */
  operation: DocumentNode
  /** Left out of the envelope, with `code`, where the interface carries only `status` and `data`. */
  message: string | undefined
  /** Status of a success. */
  status: number
  list: boolean
  /** Fields that are left out when null (interface: "if set", "if given", "optional"). */
  optional: ReadonlySet<string>
  /** The error for a path parameter that names nothing because it is not even of the right type. */
  notFound: ErrorCode | undefined
  /** The error for faults of ours (interface: `500 Failed to …`), where a route documents its own. */
  failure: ErrorCode | undefined
  /** Whether its documented answer has personal fields, which a public key sees as its application allows. */
  personal: boolean
  bodyLimit: number
  errors: ErrorCode[]
}

/** Selects the error of a mutation. Appended to each operation that spreads it. */
const problem = `
  fragment Problem on Error {
    problem: code
    message
    retryAfter
    ... on ValidationFailedError { errors { field code message } }
    ... on InvalidNumberLinesError { errors { field code message } }
  }`

export const route = (
  signature: `${Method} /${string}`,
  options: {
    key: Access
    summary: string
    operation: string
    message?: string
    status?: number
    list?: boolean
    optional?: string[]
    notFound?: ErrorCode
    failure?: ErrorCode
    personal?: boolean
    /** Errors beside authentication and validation, for the documentation. */
    errors?: ErrorCode[]
    /** Bytes; 256 KB when left out. */
    bodyLimit?: number
  },
): Route => {
  const [method, path] = signature.split(' ') as [Method, string]
  const { operation } = options
  return {
    method,
    path,
    key: options.key,
    summary: options.summary,
    operation: parse(operation.includes('...Problem') ? operation + problem : operation),
    message: options.message,
    status: options.status ?? 200,
    list: options.list ?? false,
    optional: new Set(options.optional),
    notFound: options.notFound,
    failure: options.failure,
    personal: options.personal ?? false,
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    errors: [...(options.errors ?? []), ...(options.failure ? [options.failure] : [])],
  }
}
