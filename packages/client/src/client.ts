import {
  type AnyGraphql,
  createGraphql,
  nodesOf,
  type RunGraphql,
  type RunNodes,
} from './graphql.ts'
import { createList } from './list.ts'
import { createLive } from './live.ts'
import type { TesseraOptions } from './options.ts'
import { type AnyCall, createRest } from './rest.ts'
import { createSubscribe, type Subscribe } from './subscribe.ts'
import { createTransport } from './transport.ts'

/**
 * A client of Tessera. Calls reject with a `TesseraError`.
 * @throws TypeError for a key that does not belong here, and for an address without a scheme
 */
export const createTessera = (options: TesseraOptions) => {
  const transport = createTransport(options)
  const rest = createRest(transport)
  const graphql: AnyGraphql = createGraphql(transport)
  const subscribe = createSubscribe(transport)
  const nodes = (...[document, variables, select, options]: NodesArguments) =>
    nodesOf(graphql, document, variables, select, options)
  return {
    ...rest,
    list: createList(rest.get as AnyCall),
    graphql: graphql as RunGraphql,
    nodes: nodes as RunNodes,
    subscribe: subscribe as Subscribe,
    ...createLive(subscribe),
  }
}

type NodesArguments = Parameters<typeof nodesOf> extends [AnyGraphql, ...infer Rest] ? Rest : never

export type Tessera = ReturnType<typeof createTessera>

export type { TypedDocument } from './document.ts'
export {
  type ClientErrorCode,
  isTesseraError,
  type ServerErrorCode,
  type TesseraError,
} from './error.ts'
export type { FieldFault, GraphqlError } from './fault.ts'
export type { components, paths } from './generated/paths.ts'
export type { Connection } from './graphql.ts'
export type { ItemOf, ListPath, ListRequest } from './list.ts'
export type { LiveUser, MatchEvent, PublishedEvent } from './live.ts'
export { applyEvent, type MatchState } from './match-state.ts'
export type { CallOptions, GraphqlOptions, TesseraOptions } from './options.ts'
export type { AnswerOf, PathOf, RequestOf } from './rest.ts'
export type { SubscribeOptions } from './subscribe.ts'
