import { Anchor, Group, Loader, Text } from '@mantine/core'
import { useState } from 'react'
import { useLive } from '../client/live.ts'
import { exportChanged } from '../generated/exports.ts'
import type { ExportRowFragment } from '../generated/types.ts'
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
export const ExportToast = ({ of }: { of: ExportRowFragment }) => {
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
