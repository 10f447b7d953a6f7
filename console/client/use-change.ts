import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Operation } from '../operation.ts'
import { type ChangedOf, makeChange } from './change.ts'
import type { RequestError } from './request.ts'
import { useEnvironment } from './viewer.tsx'

/**
 * A mutation of a page. Afterwards, all visible data is refetched, because counts, balances and ranks may depend on it.
 * `leave` goes to another page before that, if the object of the page is gone.
 *
 * Await `mutateAsync` and continue after it. React Query drops the callbacks of `mutate` if the component has been
 * unmounted, for example with the row that the change removed from a list.
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
