import { Anchor, Group, Loader, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
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

/** How long the link stays after the browser has saved the file. */
const savedMs = 15_000

/** The link to a file that is ready. The browser saves it by itself, because the member waits for it. */
const Ready = ({
  of: { id, url, fileName, rowCount },
}: {
  of: ExportRowFragment & { url: string }
}) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // A browser opens the file of another origin instead of saving it.
    if (new URL(url, location.href).origin !== location.origin) return
    link.current?.click()
    const closing = setTimeout(() => notifications.hide(id), savedMs)
    return () => clearTimeout(closing)
  }, [id, url])
  return (
    <Text size="sm">
      {texts.fileReady(shellTexts.rows(numberText(rowCount)))}{' '}
      <Anchor ref={link} inherit fw={600} href={url} download style={{ overflowWrap: 'anywhere' }}>
        {fileName}
      </Anchor>
    </Text>
  )
}

/** The progress of an export, then its file. */
export const ExportToast = ({ of }: { of: ExportRowFragment }) => {
  const [now, setNow] = useState(of)
  if (isOpen(now)) return <Running of={now} onChange={setNow} />
  if (!now.url)
    return (
      <Text size="sm" c="red">
        {texts.notMade}
      </Text>
    )
  return <Ready of={{ ...now, url: now.url }} />
}
