import { Anchor, Group, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { cancelExport, deleteExport, exports } from '../generated/exports.ts'
import type { ExportRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { column, numberColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { bytesText, timeText } from '../parts/formats.ts'
import { IconFileExport } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { RowMenu } from '../parts/row-menu.tsx'
import { exportsTexts as texts } from '../texts/exports-texts.ts'
import { ExportStatus, isOpen } from './export-progress.tsx'
import { StartExportButton } from './start-export.tsx'

const CancelExport = ({ id }: { id: string }) => {
  const change = useChange(cancelExport)
  return (
    <ActionButton
      right="EXPORT"
      size="compact-sm"
      label={texts.cancel}
      act={() => change.mutateAsync({ input: { exportId: id } })}
      done={texts.cancelled}
    />
  )
}

const DeleteExport = ({ id, kind }: ExportRowFragment) => {
  const change = useChange(deleteExport)
  return (
    <DangerButton
      right="EXPORT"
      size="compact-sm"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={texts.kinds[kind]}
      act={() => change.mutateAsync({ input: { exportId: id } })}
      done={texts.deleted}
    />
  )
}

const Download = ({ url, kind, format, expiresAt }: ExportRowFragment) => {
  if (!url) return '–'
  return (
    <>
      <Anchor size="sm" href={url} download aria-label={texts.downloadOf(texts.kinds[kind])}>
        {texts.download}
      </Anchor>
      {format === 'CSV' && (
        <Text size="xs">
          <Anchor
            inherit
            href={`${url}&bom=1`}
            download
            aria-label={texts.forSpreadsheetsOf(texts.kinds[kind])}
          >
            {texts.forSpreadsheets}
          </Anchor>
        </Text>
      )}
      {expiresAt && (
        <Text size="xs" c="dimmed">
          {texts.until(timeText(expiresAt))}
        </Text>
      )}
    </>
  )
}

/** The actions for an export: cancel, or download and delete. */
const ExportFile = ({ of }: { of: ExportRowFragment }) => {
  if (isOpen(of)) return <CancelExport id={of.id} />
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <div>
        <Download {...of} />
      </div>
      <RowMenu name={texts.kinds[of.kind]}>
        <DeleteExport {...of} />
      </RowMenu>
    </Group>
  )
}

const orders = { CREATED_AT: 'DESC' } as const

const columns: Column<ExportRowFragment>[] = [
  column(texts.what, ({ kind, fileName }) => (
    <>
      {texts.kinds[kind]}
      <Text size="xs" c="dimmed">
        {fileName}
      </Text>
    </>
  )),
  column(texts.format, ({ format }) => texts.shortFormats[format]),
  column(texts.status, (row) => <ExportStatus of={row} />),
  numberColumn(texts.rows, ({ rowCount }) => rowCount),
  { ...column(texts.size, ({ byteCount }) => bytesText(byteCount)), textAlign: 'right' },
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.started, ({ createdAt }) => createdAt),
  ),
  column(texts.file, (row) => <ExportFile of={row} />),
]

export const ExportsPage = () => {
  const [search] = usePageSearch()
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = { ...pageOf(search, 25), orderBy: order }
  const query = usePage(exports, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<StartExportButton />}
      operation={exports}
      variables={variables}
      asked={query}
    >
      {({ exports: found }) => (
        <ConnectionTable
          label={texts.title}
          name="exports"
          order={order}
          of={found}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <EmptyState icon={IconFileExport} text={texts.empty} action={<StartExportButton />} />
          }
        />
      )}
    </Page>
  )
}
