import { useQueryClient } from '@tanstack/react-query'
import { type Client, createClient } from 'graphql-ws'
import { useEffect, useEffectEvent } from 'react'
import type { Environment } from '../environment.ts'
import type { Operation } from '../operation.ts'
import { sameOriginHeader } from './session.ts'
import { useEnvironment } from './viewer.tsx'

/** One socket per environment. It opens with the first subscription and closes soon after the last one has ended. */
const clients = new Map<Environment, Client>()

const clientOf = (environment: Environment) => {
  const known = clients.get(environment)
  if (known) return known
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: { ...sameOriginHeader, 'X-Environment': environment },
    lazyCloseTimeout: 5_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
  })
  clients.set(environment, client)
  return client
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
  useEffect(() => {
    const client = clientOf(environment)
    const stopListening = client.on('connected', (_, __, wasRetry) => {
      if (wasRetry) queries.invalidateQueries()
    })
    const request = { query: '', documentId: operation.id, variables: JSON.parse(key) }
    const stop = client.subscribe<Data>(request, {
      next: ({ data }) => data && onNews(data),
      error: () => {},
      complete: () => {},
    })
    return () => {
      stop()
      stopListening()
    }
  }, [environment, operation.id, key, queries])
}
