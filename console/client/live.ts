import { useQueryClient } from '@tanstack/react-query'
import { createClient } from 'graphql-ws'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createBySocket } from '../../packages/client/src/by-socket.ts'
import { Fault } from '../../packages/client/src/fault.ts'
import { resumed } from '../../packages/client/src/resume.ts'
import type { Environment } from '../environment.ts'
import type { Operation } from '../operation.ts'
import { onRenewal, renewalCount, sameOriginHeader } from './session.ts'
import { useEnvironment } from './viewer.tsx'

/** One socket per environment. It opens with the first subscription and closes soon after the last one has ended. */
const sockets = new Map<Environment, ReturnType<typeof openSocket>>()

const openSocket = (environment: Environment) => {
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { ...sameOriginHeader, 'X-Environment': environment },
    lazyCloseTimeout: 5_000,
    retryAttempts: 0,
  })
  return createBySocket(client)
}

const socketOf = (environment: Environment) => {
  const socket = sockets.get(environment) ?? openSocket(environment)
  sockets.set(environment, socket)
  return socket
}

/**
 * Subscribes while the component is shown. After a lost connection, visible data is fetched again, because events may
 * have been missed.
 */
export const useLive = <Data, Variables extends Record<string, unknown>>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  onData: (data: Data) => void,
) => {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const onNews = useEffectEvent(onData)
  const key = JSON.stringify(variables)
  // A subscription ends with the session.
  const renewals = useSyncExternalStore(onRenewal, renewalCount)
  useEffect(() => {
    const stopping = new AbortController()
    let connections = 0
    const connect = socketOf(environment)(() => ({
      query: '',
      documentId: operation.id,
      variables: JSON.parse(key),
    }))
    const follow = async () => {
      const results = resumed<Data>(
        connect,
        {},
        {
          signal: stopping.signal,
          onConnection: (isConnected) => {
            if (isConnected && connections++ > 0) queries.invalidateQueries()
          },
        },
      )
      for await (const data of results) onNews(data)
    }
    follow().catch((error) => {
      // What is not live is still shown.
      if (!(error instanceof Fault)) throw error
    })
    return () => stopping.abort()
  }, [environment, operation.id, key, queries, renewals])
}
