/** Exports a list as it is filtered. A notification follows the file until it can be downloaded. */
import { Anchor, Group, Loader, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useLive } from '../client/live.ts'
import { useChange } from '../client/use-change.ts'
import { EnvironmentProvider, useEnvironment } from '../client/viewer.tsx'
import type { Environment } from '../environment.ts'
import { exportChanged, startExport } from '../generated/exports.ts'
import type { ExportKind, ExportRowFilter, ExportRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { numberText } from '../parts/formats.ts'
import { exportsTexts as texts } from '../texts/exports-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { isOpen } from './export-progress.tsx'

const Running = (props: { of: ExportRowFragment; onChange: (now: ExportRowFragment) => void }) => {
  const { of, onChange } = props
  useLive(exportChanged, { exportId: of.id }, ({ exportChanged: now }) => onChange(now))
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size={14} aria-hidden />
      <Text size="sm">{texts.exporting(numberText(of.rowCount))}</Text>
    </Group>
  )
}

/** The progress of an export, then the link to its file. */
const ExportToast = ({ of }: { of: ExportRowFragment }) => {
  const [now, setNow] = useState(of)
  if (isOpen(now)) return <Running of={now} onChange={setNow} />
  if (!now.url)
    return (
      <Text size="sm" c="red">
        {texts.notMade}
      </Text>
    )
  return (
    <Text size="sm">
      {texts.fileReady(shellTexts.rows(numberText(now.rowCount)))}{' '}
      <Anchor inherit fw={600} href={now.url} download style={{ overflowWrap: 'anywhere' }}>
        {now.fileName}
      </Anchor>
    </Text>
  )
}

/** The notification belongs to no page: it stays when the member goes on. It is at the bottom, over no title or button. */
const showExport = (of: ExportRowFragment, environment: Environment) =>
  notifications.show({
    position: 'bottom-center',
    autoClose: false,
    message: (
      <EnvironmentProvider environment={environment}>
        <ExportToast of={of} />
      </EnvironmentProvider>
    ),
  })

/** A button beside the filters of a list. `filter` is that of the list, as exports take it. */
export const ExportList = (props: { kind: ExportKind; filter?: ExportRowFilter }) => {
  const { kind, filter } = props
  const environment = useEnvironment()
  const change = useChange(startExport)
  return (
    <ActionButton
      right="EXPORT"
      label={texts.exportList}
      act={async () => {
        const input = { kind, format: 'CSV' as const, ...(filter && { filter }) }
        showExport((await change.mutateAsync({ input })).export, environment)
      }}
    />
  )
}
