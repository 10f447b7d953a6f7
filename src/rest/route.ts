/** A REST route: a stored operation of the schema, and the envelope of its answer. */
import { type DocumentNode, Kind, parse } from 'graphql'
import type { z } from 'zod'
import type { Access } from '../kit/access/context.ts'
import type { ErrorCode } from '../kit/errors.ts'
import { problemFragment } from '../kit/schema/refusal.ts'
import type { Codecs } from './codecs.ts'
import { type RestDirectives, readDirectives, type Shape, say } from './directives.ts'
import type { Paging } from './paging.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The result of an operation after `@flatten`, `@unset` and `@lowerCase`. */
// biome-ignore lint/suspicious/noExplicitAny: the selection of the route says what it has
type Result = any

/** What a route answers where aliases and selections cannot say it. */
type Answer = { schema: z.ZodObject; of(result: Result): Record<string, unknown> }

/** @param schema of what it answers. Its `title` is its name in the OpenAPI document. */
export const answer = <S extends z.ZodObject>(
  schema: S,
  of: (result: Result) => z.input<S>,
): Answer => ({ schema, of })

/** Selects one of several operations by a field of the body or a parameter of the query string. */
type Choice = {
  /** The schema of the field of the body. None of the operations takes it. */
  by?: z.ZodObject
  /** Or a parameter of the query string. It identifies the object of the first of two operations. */
  parameter?: string
  /** One route per operation, by the value of the field, or by whether the parameter is present. */
  variants: Map<string, Route>
}

/** A list in the input whose items succeed or fail on their own. */
export type Each = {
  /** The list in the input. */
  field: string
  /** An item in the input. Its variables are the fields of an item in REST. */
  item: string
  /** The message for an item that is not an object. */
  odd: string
  /**
   * The whole answer.
   * @param answer for the items that were sent; null if there were none
   * @param refused why the others were rejected, by their index in the list
   */
  answer(
    answer: Record<string, unknown> | null,
    refused: ReadonlyMap<number, string>,
  ): Record<string, unknown>
}

export type Route = {
  method: Method
  /** In the notation of the interface: `/v1/users/{userId}/plays`. */
  path: string
  key: Access
  /**
   * Whether a route for public keys also takes a secret key, in place of a public key or beside one of the same partner and
   * environment. The call is then that of the secret key.
   */
  takesSecret: boolean
  summary: string
  /**
   * The operation. Its variables are filled by name: from the path and the query string; inside a literal input, from
   * the body; and `$input` from the fields of the body and the path that its type has. The selection is the answer:
   * `result` becomes `data` or, for a list, the fields of `result` are next to `status`.
   */
  operation: DocumentNode
  /** For a route with several operations. `operation` is the first of them. */
  choice: Choice | undefined
  /** The operation with the directives of REST. */
  written: DocumentNode
  /** What these directives change in the answer. */
  shape: Shape | undefined
  /** Omitted from the envelope, together with `code`, where the interface has only `status` and `data`. */
  message: string | undefined
  /** The status of a success. */
  status: number
  list: boolean
  /** The page fields of the envelope. The operation takes `$page` as a cursor, and `$limit`. */
  paging: Paging | undefined
  /** Fields of `$input` that differ in REST, by their names in the schema. */
  forms: Codecs | undefined
  each: Each | undefined
  answer: Answer | undefined
  /** Fields that are omitted if null (interface: "if set", "if given", "optional"). */
  optional: ReadonlySet<string>
  /**
   * The error for a result that is null, and for an invalid path parameter. If fields surround the result, one error
   * for each, the outermost first; the last one also applies to all inner fields.
   */
  notFound: readonly ErrorCode[]
  /**
   * Errors of the schema that the interface reports as another. That one has its own message and no data, also where it
   * replaces itself.
   */
  folds: Partial<Record<ErrorCode, ErrorCode>>
  /** The error for server faults, if the route documents its own (interface: `500 Failed to …`). */
  failure: ErrorCode | undefined
  /** Whether its documented answer has personal fields, which public keys see as their application allows. */
  personal: boolean
  bodyLimit: number
  /**
   * Whether a body that satisfies the schema of the input, but not its type in GraphQL, goes to the mutation, whose own
   * rules refuse it: a number that is no Int.
   */
  judgedByMutation: boolean
  errors: ErrorCode[]
  /** Errors that its mutation declares but the route cannot cause. */
  never: ErrorCode[]
}

type Chosen =
  | ({ by: z.ZodObject } & Record<string, string | z.ZodObject>)
  | { parameter: string; given: string; absent: string }

const fragments = new Map<string, { text: string; says?: Record<string, RestDirectives> }>([
  ['Problem', { text: problemFragment }],
])

/**
 * A selection with a name, which is the name of its object in the OpenAPI document. Objects whose selection has no name
 * are called as their type is.
 * @param on such as `ArenaGameDetails on ArenaGame`
 * @param says what REST says of fields otherwise than the schema, by their keys
 */
export const fragment = (
  on: string,
  selection: string,
  says: Record<string, RestDirectives> = {},
): string => {
  const [name = ''] = on.split(' ')
  fragments.set(name, { text: `fragment ${on} { ${selection} }`, says })
  return `...${name}`
}

/** Says that callers of the route never get null. */
export const given = { isGiven: true } as const satisfies RestDirectives

const toPercent = (rate: unknown): unknown =>
  typeof rate === 'number' ? Math.round(rate * 10_000) / 100 : rate

/** A value that the interface documents and that never changes. The field that it replaces must never be null. */
export const always = (value: unknown, schema: z.ZodType): RestDirectives => ({
  schema,
  of: () => value,
})

/** Answers a rate in percent. */
export const asPercent = (schema: z.ZodType): RestDirectives => ({ schema, of: toPercent })

/** An operation with the fragments that it spreads. */
const withFragments = (operation: string): string => {
  const spread = new Set<string>()
  const find = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(\w+)/g)) {
      if (spread.has(name)) continue
      spread.add(name)
      find(fragments.get(name)?.text ?? '')
    }
  }
  find(operation)
  return [operation, ...[...spread].map((name) => fragments.get(name)?.text)].join(' ')
}

type Options = {
  key: Access
  takesSecret?: boolean
  summary: string
  /** Or several operations, by the value of a field of the body, or by whether the query string has a parameter. */
  operation: string | Chosen
  message?: string
  status?: number
  list?: boolean
  paging?: Paging
  forms?: Codecs
  each?: Each
  answer?: Answer
  optional?: string[]
  notFound?: ErrorCode | readonly ErrorCode[]
  folds?: Partial<Record<ErrorCode, ErrorCode>>
  failure?: ErrorCode
  personal?: boolean
  judgedByMutation?: boolean
  /** Errors besides authentication and validation, for the documentation. */
  errors?: ErrorCode[]
  never?: ErrorCode[]
  /** The largest body in bytes. Defaults to 256 KB. */
  bodyLimit?: number
}

/** @param choice for a route with several operations, of which `operation` is the first */
const routeOf = (
  signature: string,
  options: Options,
  operation: string,
  choice?: Choice,
): Route => {
  const [method, path] = signature.split(' ') as [Method, string]
  let read: Pick<Route, 'written' | 'operation' | 'shape'> | undefined
  // Parsed on first use: a start that parses all of them takes longer and keeps all of them in memory.
  const parsed = () => {
    if (read) return read
    const written = parse(withFragments(operation))
    for (const definition of written.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        say(definition, fragments.get(definition.name.value)?.says ?? {})
    read = { written, ...readDirectives(written) }
    return read
  }
  return {
    method,
    path,
    key: options.key,
    takesSecret: options.takesSecret ?? false,
    summary: options.summary,
    get operation() {
      return parsed().operation
    },
    get shape() {
      return parsed().shape
    },
    get written() {
      return parsed().written
    },
    choice,
    message: options.message,
    status: options.status ?? 200,
    list: options.list ?? false,
    paging: options.paging,
    forms: options.forms,
    each: options.each,
    answer: options.answer,
    optional: new Set(options.optional),
    notFound: [options.notFound ?? []].flat(),
    folds: options.folds ?? {},
    failure: options.failure,
    personal: options.personal ?? false,
    judgedByMutation: options.judgedByMutation ?? false,
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
  const [first] = Object.values<string>(operations) as [string]
  const key = by ? { by } : { parameter: parameter as string }
  return routeOf(signature, options, first, { ...key, variants: new Map(variants) })
}

/** One route for each of its operations. */
export const variantsOf = (route: Route): Route[] =>
  route.choice ? [...route.choice.variants.values()] : [route]

/** A mutation with one input that returns a selection of its payload. */
export const mutationOf = (name: string, selection: string) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return `mutation ($input: ${Name}Input!) {
    result: ${name}(input: $input) { ... on ${Name}Payload { ${selection} } ...Problem }
  }`
}
