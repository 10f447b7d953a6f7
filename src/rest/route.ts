/** What a REST route is: a stored operation of the schema, and the envelope around its answer. */
import { type DocumentNode, parse } from 'graphql'
import type { z } from 'zod'
import type { Access } from '../core/context.ts'
import type { ErrorCode } from '../core/errors.ts'
import { readDirectives, type Shape } from './directives.ts'
import type { Forms } from './forms.ts'
import type { Paging } from './paging.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Which of several operations a route stands for: a field of the body says so, or the query string. */
type Choice = {
  /** An object of that one field of the body, which none of the operations takes. */
  by?: z.ZodObject
  /** Or a parameter of the query string, which names the thing that the first of two operations is about. */
  parameter?: string
  /** The same route for one operation each, by the value of the field; by whether there is the parameter. */
  variants: Map<string, Route>
}

/** A list in the input whose items succeed or fail on their own. */
export type Each = {
  /** The list in the input. */
  field: string
  /** An item in the input; its variables are the fields of an item of REST. */
  item: string
  /** What is said of an item that is no object. */
  odd: string
  /**
   * The whole answer.
   * @param answer for the items that were sent; null when there were none
   * @param refused why the others were not, by their places in the list
   */
  answer(
    answer: Record<string, unknown> | null,
    refused: ReadonlyMap<number, string>,
  ): Record<string, unknown>
}

export type Route = {
  method: Method
  /** As the interface writes it: `/v1/users/{userId}/plays`. */
  path: string
  key: Access
  summary: string
  /**
   * Its variables are filled by name: from the path and the query string; those inside of an input that
   * it writes out from the body; and `$input` from those fields of the body and the path that its type
   * has. What it selects is what is answered: `result` becomes `data`, or, on a list, all of `result`
   * stands beside `status`.
   */
  operation: DocumentNode
  /** Where the route stands for several operations; `operation` is the first of them. */
  choice: Choice | undefined
  /** The operation as it is written, with the directives of REST. */
  written: DocumentNode
  /** What these directives change in the answer. */
  shape: Shape | undefined
  /** Left out of the envelope, with `code`, where the interface carries only `status` and `data`. */
  message: string | undefined
  /** Status of a success. */
  status: number
  list: boolean
  /** How the envelope says which page it is; the operation takes `$page` as a cursor and `$limit`. */
  paging: Paging | undefined
  /** Fields of the input `$input` that REST says otherwise, by their names in the schema. */
  forms: Forms | undefined
  each: Each | undefined
  /** Fields that are left out when null (interface: "if set", "if given", "optional"). */
  optional: ReadonlySet<string>
  /**
   * The error for a result that is null, and for a path parameter that is refused. Where fields stand around
   * the result: one for each, the outermost first; the last holds for all further in.
   */
  notFound: readonly ErrorCode[]
  /** The error for faults of ours (interface: `500 Failed to …`), where a route documents its own. */
  failure: ErrorCode | undefined
  /** Whether its documented answer has personal fields, which a public key sees as its application allows. */
  personal: boolean
  bodyLimit: number
  errors: ErrorCode[]
  /** What its mutation can refuse and the route cannot meet. */
  never: ErrorCode[]
}

/** Selects the error of a mutation. Appended to each operation that spreads it. */
const problem = `
  fragment Problem on Error {
    problem: code
    message
    ... on ValidationError { errors { path code message } }
    ... on LimitError { retryAfter }
  }`

type Chosen =
  | ({ by: z.ZodObject } & Record<string, string | z.ZodObject>)
  | { parameter: string; given: string; absent: string }

type Options = {
  key: Access
  summary: string
  /** Or several, by the value of a field of the body, or by whether the query string has a parameter. */
  operation: string | Chosen
  message?: string
  status?: number
  list?: boolean
  paging?: Paging
  forms?: Forms
  each?: Each
  optional?: string[]
  notFound?: ErrorCode | readonly ErrorCode[]
  failure?: ErrorCode
  personal?: boolean
  /** Errors beside authentication and validation, for the documentation. */
  errors?: ErrorCode[]
  never?: ErrorCode[]
  /** Bytes; 256 KB when left out. */
  bodyLimit?: number
}

const routeOf = (signature: string, options: Options, operation: string): Route => {
  const [method, path] = signature.split(' ') as [Method, string]
  const written = parse(operation.includes('...Problem') ? operation + problem : operation)
  return {
    method,
    path,
    key: options.key,
    summary: options.summary,
    ...readDirectives(written),
    written,
    choice: undefined,
    message: options.message,
    status: options.status ?? 200,
    list: options.list ?? false,
    paging: options.paging,
    forms: options.forms,
    each: options.each,
    optional: new Set(options.optional),
    notFound: [options.notFound ?? []].flat(),
    failure: options.failure,
    personal: options.personal ?? false,
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    never: options.never ?? [],
    errors: [...(options.errors ?? []), ...(options.failure ? [options.failure] : [])],
  }
}

export const route = (signature: `${Method} /${string}`, options: Options): Route => {
  const { operation } = options
  if (typeof operation === 'string') return routeOf(signature, options, operation)
  const { by, parameter, ...operations } = operation as { by?: z.ZodObject; parameter?: string }
  const variants = Object.entries<string>(operations).map(
    ([value, text]) => [value, routeOf(signature, options, text)] as const,
  )
  const [[, first]] = variants as [[string, Route]]
  const key = by ? { by } : { parameter: parameter as string }
  return { ...first, choice: { ...key, variants: new Map(variants) } }
}

/** The route for each of the operations that it stands for. */
export const variantsOf = (route: Route): Route[] =>
  route.choice ? [...route.choice.variants.values()] : [route]
