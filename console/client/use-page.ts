import { useQuery } from '@tanstack/react-query'
import type { Operation } from '../operation.ts'
import { request } from './request.ts'
import { useEnvironment } from './viewer.tsx'

/** Identifies the object that a query is about, if any. */
const thingOf = (variables: unknown) => {
  const { id, by } = variables as { id?: unknown; by?: unknown }
  return JSON.stringify([id, by])
}

/**
 * The data of a page. While a filter changes, the previous data stays visible, unless it belongs to another object or
 * environment. Data that changes on its own is polled.
 */
export const usePage = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { refreshMs = 0 }: { refreshMs?: number | ((data: Data | undefined) => number) } = {},
) => {
  const environment = useEnvironment()
  return useQuery<Data, Error>({
    queryKey: [environment, operation.name, variables],
    queryFn: ({ signal }) => request(operation, variables, environment, signal),
    placeholderData: (before, query) =>
      query?.queryKey[0] === environment && thingOf(query.queryKey[2]) === thingOf(variables)
        ? before
        : undefined,
    refetchInterval: ({ state }) =>
      (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)) || false,
  })
}
