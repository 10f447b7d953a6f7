/**
 * Live events of the arena for a page: by WebSocket, or by server-sent events if a WebSocket does not get through. It
 * retries until it succeeds, and each attempt continues after the last event.
 */
import { createClient } from 'graphql-ws'
import { byEvents } from '../../../packages/client/src/by-events.ts'
import { createBySocket } from '../../../packages/client/src/by-socket.ts'
import { reach } from '../../../packages/client/src/request.ts'
import { type Connect, type ResumeOptions, resumed } from '../../../packages/client/src/resume.ts'

export type LinkState = 'connecting' | 'live' | 'reconnecting'

type Transport = 'socket' | 'events'

/** The number of consecutive failures after which the other transport is also tried. */
const patience = 2

/**
 * The transport to try after this many consecutive failures: the one that worked last, and after repeated failures
 * both in turn. A proxy may block WebSockets but not plain requests.
 */
export const transportOf = (failures: number, lastGood: Transport): Transport => {
  if (failures < patience) return lastGood
  const other = lastGood === 'socket' ? 'events' : 'socket'
  return (failures - patience) % 2 === 0 ? other : lastGood
}

/** One WebSocket for all subscriptions of a page, opened on demand. A silent one counts as broken. */
const openSocket = () => {
  let pong: ReturnType<typeof setTimeout> | undefined
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    retryAttempts: 0,
    lazyCloseTimeout: 1_000,
    keepAlive: 8_000,
    on: {
      ping: (received) => {
        if (!received) pong = setTimeout(() => client.terminate(), 5_000)
      },
      pong: (received) => {
        if (received) clearTimeout(pong)
      },
      closed: () => clearTimeout(pong),
    },
  })
  addEventListener('offline', () => client.terminate())
  return client
}

type Options<T> = Omit<ResumeOptions<{ result: T }, object>, 'onConnection' | 'resume'> & {
  resume?: (last: T) => object | null
}

export type StreamConnection = ReturnType<typeof openConnection>

/** Opens the connection. `onState` gets the state of the connection for the whole page. */
export const openConnection = (onState: (state: LinkState) => void) => {
  const bySocket = createBySocket(openSocket())
  const open = (request: Request) => reach((...sent) => fetch(...sent), request)
  let lastGood: Transport = 'socket'

  const connectionOf = (query: string): Connect => {
    const ways = {
      socket: bySocket((variables) => ({ query, variables: variables as Record<string, unknown> })),
      events: byEvents(location.origin, query, open),
    }
    return (attempt) => {
      const transport = transportOf(attempt.failures, lastGood)
      const onOpen = () => {
        lastGood = transport
        attempt.onOpen()
      }
      return ways[transport]({ ...attempt, onOpen })
    }
  }

  return {
    /**
     * The results of a subscription whose field has the alias `result`, without an end unless `resume` tells one.
     * @throws Fault if it is refused
     */
    watch: async function* <T>(
      query: string,
      variables: object = {},
      { signal, resume = () => ({}) }: Options<T> = {},
    ): AsyncGenerator<T, void, undefined> {
      const results = resumed<{ result: T }>(connectionOf(query), variables, {
        signal,
        resume: ({ result }) => resume(result),
        onConnection: (isConnected) => onState(isConnected ? 'live' : 'reconnecting'),
      })
      for await (const { result } of results) yield result
    },
  }
}
