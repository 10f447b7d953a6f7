/** A connection of a subscription by a WebSocket, which several subscriptions share. */
import { Fault, type GraphqlError, graphqlFault } from './fault.ts'
import type { Connect } from './resume.ts'

type Result = { data?: unknown; errors?: readonly object[] | undefined }

/** What is needed of a client of `graphql-ws`. It must not retry by itself. */
type SocketClient<Request> = {
  iterate(request: Request): AsyncIterableIterator<Result>
  on(event: 'connected' | 'closed', listener: () => void): () => void
  terminate(): void
}

/** A WebSocket that is blocked on its way may stay in the middle of connecting. */
const openMs = 6_000

const answered = { headers: new Headers(), status: 200 }
const broken = (cause?: unknown) =>
  new Fault('CONNECTION_FAILED', 'The connection broke', { cause })

/** @returns a function that makes the connections of a request */
export const createBySocket = <Request>(client: SocketClient<Request>) => {
  let isOpen = false
  client.on('connected', () => {
    isOpen = true
  })
  client.on('closed', () => {
    isOpen = false
  })
  return (requestOf: (variables: object) => Request): Connect =>
    async function* ({ variables, signal, onOpen }) {
      const ends = new AbortController()
      const results = client.iterate(requestOf(variables))
      const timer = setTimeout(() => isOpen || client.terminate(), openMs)
      signal.addEventListener('abort', () => results.throw?.(broken()), { signal: ends.signal })
      const stopListening = client.on('connected', onOpen)
      if (isOpen) onOpen()
      try {
        for await (const { data, errors } of results) {
          if (errors?.length) throw graphqlFault(errors as GraphqlError[], data, answered)
          yield data
        }
      } catch (error) {
        // A refused subscription throws the errors of GraphQL, and a lost connection why it was closed.
        if (Array.isArray(error)) throw graphqlFault(error, undefined, answered)
        throw error instanceof Fault ? error : broken(error)
      } finally {
        clearTimeout(timer)
        ends.abort()
        stopListening()
        await results.return?.()
      }
    }
}
