import { Button } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { auditLog } from '../generated/audit-log.ts'
import { actionsColumn, column, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconClipboardList } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { PeriodField, useListPeriod } from '../parts/period.tsx'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import { AuditDetails, UndoButton } from './audit-details.tsx'
import { AuditFilters, auditFilterOf } from './audit-filters.tsx'
import type { AuditRow } from './audit-row.ts'
import { Sentence } from './sentence.tsx'

const columnsOf = (show: (row: AuditRow) => void): Column<AuditRow>[] => [
  wide(column(texts.what, (row) => <Sentence of={row} />)),
  timeColumn(texts.time, ({ occurredAt }) => occurredAt),
  actionsColumn((row) => (
    <>
      <UndoButton of={row} />
      <Button size="xs" variant="subtle" onClick={() => show(row)}>
        {texts.details}
      </Button>
    </>
  )),
]

export const AuditLogPage = () => {
  const [search, setSearch] = usePageSearch()
  const period = useListPeriod()
  const filter = auditFilterOf(search, period)
  const variables = { ...pageOf(search, 25), filter }
  const asked = usePage(auditLog, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodField of={period} />}
      operation={auditLog}
      variables={variables}
      asked={asked}
    >
      {({ auditLog: entries }) => (
        <>
          <AuditFilters />
          <ConnectionTable
            label={texts.title}
            of={entries}
            columns={columnsOf(({ id }) => setSearch({ entry: id }))}
            idOf={({ id }) => id}
            isFiltered={Object.keys(filter).length > 0}
            empty={<EmptyState icon={IconClipboardList} text={texts.empty} />}
          />
          <AuditDetails
            of={entries.nodes.find(({ id }) => id === search['entry']) ?? null}
            onClose={() => setSearch({ entry: undefined })}
          />
        </>
      )}
    </Page>
  )
}
