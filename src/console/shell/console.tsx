import '@mantine/notifications/styles.css'
import '@mantine/dates/styles.css'
import 'mantine-datatable/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { RequestError } from '../client/request.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { router } from './router.tsx'

/** Only what did not reach the server, or overloaded it, is worth asking again. */
const isTemporary = (error: Error) =>
  error instanceof RequestError && ['UNREACHABLE', 'OVERLOADED', 'UNAVAILABLE'].includes(error.code)

const queries = new QueryClient({
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

/** The console for members who are signed in. */
const Console = () => (
  <QueryClientProvider client={queries}>
    <ModalsProvider>
      {/* Not over the buttons that save, which are below and on the right. */}
      <Notifications position="top-center" limit={2} autoClose={3_000} />
      <ConnectionNotice />
      <RouterProvider router={router} />
    </ModalsProvider>
  </QueryClientProvider>
)

export default Console
