import { Group, Loader, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../client/live.ts'
import { exportChanged } from '../generated/exports.ts'
import type { ExportRowFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { Status } from '../parts/status.tsx'
import { exportsTexts as texts } from '../texts/exports-texts.ts'

const openStatuses: readonly string[] = ['QUEUED', 'RUNNING']

export const isOpen = ({ status }: Pick<ExportRowFragment, 'status'>) =>
  openStatuses.includes(status)

/** The number of rows of a running export, live. When it has ended, the list is refetched. */
const LiveProgress = ({ of }: { of: ExportRowFragment }) => {
  const [now, setNow] = useState(of)
  const queries = useQueryClient()
  useLive(exportChanged, { exportId: of.id }, ({ exportChanged: next }) => {
    setNow(next)
    if (!isOpen(next)) queries.invalidateQueries()
  })
  return (
    <Group gap={8} wrap="nowrap">
      <Loader size={14} aria-hidden />
      <Status of={now.status} />
      <Text size="xs" c="dimmed" aria-label={texts.soFar}>
        {numberText(now.rowCount)}
      </Text>
    </Group>
  )
}

export const ExportStatus = ({ of }: { of: ExportRowFragment }) =>
  isOpen(of) ? <LiveProgress of={of} /> : <Status of={of.status} />
