/** Hooks for GraphQL documents. */
import {
  type GraphqlError,
  isTesseraError,
  type TesseraError,
  type TypedDocument,
} from '@tessera/client'
import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { useShared } from './provider.ts'
import type { Query } from './queries.ts'
import { beforeFirstAnswer, type Snapshot } from './store.ts'

type AnyDocument = string | object

const numbers = new WeakMap<object, number>()
let count = 0

/** A name for a document in the store: its text, or a number for each document object. */
const nameOf = (document: AnyDocument): string | number => {
  if (typeof document === 'string') return document
  const number = numbers.get(document) ?? ++count
  numbers.set(document, number)
  return number
}

const noErrors: readonly GraphqlError[] = []

type Answer = { data: unknown; fieldErrors: readonly GraphqlError[] }

/** The state of `useGraphql`. */
export type GraphqlQuery<T> = Query<T> & {
  /** Fields that were refused, and are null in `data`. */
  fieldErrors: readonly GraphqlError[]
}

/** Variables may be left out where all of them are optional. */
type Rest<Variables> = object extends Variables
  ? [variables?: Variables | null]
  : [variables: Variables | null]

type UseGraphql = {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Rest<Variables>
  ): GraphqlQuery<Data>
  <Data = unknown>(document: string, variables?: Record<string, unknown> | null): GraphqlQuery<Data>
}

const nothingAsked: Snapshot = { ...beforeFirstAnswer, isLoading: false }

const leaveNothing = () => {}

/**
 * The answer to a query. Components with the same document and variables share it. Create documents outside of
 * components.
 * @param variables null sends no request, for instance while nobody is signed in
 */
export const useGraphql = ((document: AnyDocument, variables: object | null = {}) => {
  const { client, store } = useShared()
  const key = variables === null ? null : JSON.stringify([nameOf(document), variables])
  const listen = useCallback(
    (listener: () => void) => {
      if (key === null) return leaveNothing
      const ask = async (): Promise<Answer> => {
        let fieldErrors = noErrors
        const onFieldErrors = (errors: readonly GraphqlError[]) => {
          fieldErrors = errors
        }
        const sent = JSON.parse(key)[1]
        return {
          data: await client.graphql(document as string, sent, { onFieldErrors }),
          fieldErrors,
        }
      }
      return store.listen(key, ask, listener)
    },
    [client, store, key, document],
  )
  const read = () => (key === null ? nothingAsked : store.read(key))
  const { data: answer, ...state } = useSyncExternalStore(listen, read, () =>
    key === null ? nothingAsked : beforeFirstAnswer,
  )
  const reload = useCallback(() => store.reload((item) => item === key), [store, key])
  const { data, fieldErrors = noErrors } = (answer ?? {}) as Partial<Answer>
  return { ...state, data, fieldErrors, reload }
}) as UseGraphql

type State<Data> = {
  /** The last answer: the payload, or an expected error, as its union says. */
  data: Data | undefined
  /** Why the last attempt failed as a whole, such as `RATE_LIMITED`. */
  error: TesseraError | undefined
  isRunning: boolean
}

const idle: State<never> = { data: undefined, error: undefined, isRunning: false }

/** A mutation that a component runs. */
export type Mutation<Data, Variables> = State<Data> & {
  /** Resolves with the answer, or with undefined if it failed as a whole. */
  run: (
    ...rest: object extends Variables ? [variables?: Variables] : [variables: Variables]
  ) => Promise<Data | undefined>
}

type UseMutation = {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    options?: { reload?: boolean },
  ): Mutation<Data, Variables>
  <Data = unknown>(
    document: string,
    options?: { reload?: boolean },
  ): Mutation<Data, Record<string, unknown>>
}

/**
 * Runs a mutation. Objects of its answer that have an `id` are shown at once by all queries that have them. Then the
 * queries in use are sent again, unless `reload` is false. While it runs, calling it with the same variables returns
 * the same answer, so a double click acts once.
 */
export const useMutation = ((document: AnyDocument, { reload = true } = {}) => {
  const { client, store } = useShared()
  const [state, setState] = useState<State<unknown>>(idle)
  const running = useRef<{ key: string; answer: Promise<unknown> } | null>(null)

  const run = useCallback(
    (variables: object = {}): Promise<unknown> => {
      const send = async () => {
        setState((before) => ({ ...before, error: undefined, isRunning: true }))
        try {
          const data = await client.graphql(
            document as string,
            variables as Record<string, unknown>,
          )
          setState({ data, error: undefined, isRunning: false })
          store.change(data)
          if (reload) void store.reload(() => true)
          return data
        } catch (error) {
          const expected = isTesseraError(error) ? error : undefined
          setState((before) => ({ ...before, error: expected, isRunning: false }))
          if (!expected) throw error
          return undefined
        } finally {
          if (running.current?.key === key) running.current = null
        }
      }
      const key = JSON.stringify(variables)
      if (running.current?.key !== key) running.current = { key, answer: send() }
      return running.current.answer
    },
    [client, store, document, reload],
  )

  return { ...state, run }
}) as UseMutation
