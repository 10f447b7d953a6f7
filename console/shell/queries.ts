import { QueryClient, queryOptions } from '@tanstack/react-query'
import { RequestError, request } from '../client/request.ts'
import type { Environment } from '../environment.ts'
import { viewer } from '../generated/viewer.ts'

/** Only requests that did not reach the server, or found it overloaded, are retried. */
const isTemporary = (error: Error) =>
  error instanceof RequestError && ['UNREACHABLE', 'OVERLOADED', 'UNAVAILABLE'].includes(error.code)

/** The query cache that all pages share. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && isTemporary(error),
      refetchOnReconnect: 'always',
    },
    // A change that does not reach the server fails at once. It must not take effect later by surprise.
    mutations: { networkMode: 'always' },
  },
})

/** Who is signed in, and what they may do. */
export const viewerQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['viewer', environment],
    queryFn: ({ signal }) => request(viewer, {}, environment, signal),
    staleTime: 60_000,
  })
