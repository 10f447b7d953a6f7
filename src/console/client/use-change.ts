import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Operation } from '../operation.ts'
import { type ChangedOf, makeChange } from './change.ts'
import type { RequestError } from './request.ts'
import { useEnvironment } from './viewer.tsx'

/**
 * A mutation of a page. After it, all visible data is fetched again: counts, balances and ranks follow from what
 * changed. `leave` goes to another page before that, when the thing that the page shows is gone.
 *
 * Await `mutateAsync` and go on after it. Callbacks given to `mutate` are dropped if its component is gone by then, for
 * example with the row that the change took out of a list.
 */
export const useChange = <Data extends object, Variables>(
  operation: Operation<Data, Variables>,
  { leave }: { leave?: () => Promise<unknown> } = {},
) => {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation<ChangedOf<Data>, RequestError, Variables>({
    mutationFn: (variables) => makeChange(operation, variables, environment),
    onSuccess: async () => {
      await leave?.()
      await queries.invalidateQueries()
    },
  })
}
