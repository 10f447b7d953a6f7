/** Exports a list as it is filtered. A notification follows the file until it can be downloaded. */
import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { useChange } from '../client/use-change.ts'
import { EnvironmentProvider, useEnvironment } from '../client/viewer.tsx'
import type { Environment } from '../environment.ts'
import { startExport } from '../generated/exports.ts'
import type { ExportKind, ExportRowFilter, ExportRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { exportsTexts as texts } from '../texts/exports-texts.ts'

// What follows the file is loaded with the first export.
const ExportToast = lazy(async () => ({
  default: (await import('./export-toast.tsx')).ExportToast,
}))

/** The notification belongs to no page: it stays when the member goes on. It is at the bottom, over no title or button. */
const showExport = (of: ExportRowFragment, environment: Environment) =>
  notifications.show({
    id: of.id,
    position: 'bottom-center',
    autoClose: false,
    message: (
      <EnvironmentProvider environment={environment}>
        <Suspense fallback={texts.exporting('0')}>
          <ExportToast of={of} />
        </Suspense>
      </EnvironmentProvider>
    ),
  })

/** A button beside the filters of a list. `filter` is that of the list, as exports take it. */
export const ExportList = (props: {
  kind: ExportKind
  filter?: ExportRowFilter
  label?: string
}) => {
  const { kind, filter, label = texts.exportList } = props
  const environment = useEnvironment()
  const change = useChange(startExport)
  return (
    <ActionButton
      right="EXPORT"
      label={label}
      act={async () => {
        const input = { kind, format: 'CSV' as const, ...(filter && { filter }) }
        showExport((await change.mutateAsync({ input })).export, environment)
      }}
    />
  )
}
