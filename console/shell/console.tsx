import '@mantine/notifications/styles.css'
import '@mantine/dates/styles.css'
import 'mantine-datatable/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ConnectionNotice } from './connection-notice.tsx'
import { queries } from './queries.ts'
import { router } from './router.tsx'

/** The console for members who are signed in. */
const Console = () => (
  <QueryClientProvider client={queries}>
    <ModalsProvider>
      {/* Not over the save buttons, which are at the bottom and on the right. */}
      <Notifications position="top-center" limit={2} autoClose={3_000} />
      <ConnectionNotice />
      <RouterProvider router={router} />
    </ModalsProvider>
  </QueryClientProvider>
)

export default Console
