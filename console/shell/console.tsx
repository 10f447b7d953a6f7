import '@mantine/notifications/styles.css'
import '@mantine/dates/styles.css'
import 'mantine-datatable/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ConnectionNotice } from './connection-notice.tsx'
import { queries } from './queries.ts'
import { router } from './router.tsx'
import { Toasts } from './toasts.tsx'

/** The console for members who are signed in. */
const Console = () => (
  <QueryClientProvider client={queries}>
    <ModalsProvider>
      <Toasts />
      <ConnectionNotice />
      <RouterProvider router={router} />
    </ModalsProvider>
  </QueryClientProvider>
)

export default Console
