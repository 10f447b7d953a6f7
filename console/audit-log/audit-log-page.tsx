import { Button } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { auditLog } from '../generated/audit-log.ts'
import { actionsColumn, column, sortable, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconClipboardList } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { rangeOf, useListPeriod } from '../parts/period.tsx'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import { AuditDetails, UndoButton } from './audit-details.tsx'
import { AuditFilters, auditFilterNames, auditFilterOf } from './audit-filters.tsx'
import type { AuditRow } from './audit-row.ts'
import { Sentence } from './sentence.tsx'

const orders = { OCCURRED_AT: 'DESC' } as const

const columnsOf = (show: (row: AuditRow) => void): Column<AuditRow>[] => [
  wide(column(texts.what, (row) => <Sentence of={row} />)),
  sortable(
    orders,
    'OCCURRED_AT',
    timeColumn(texts.time, ({ occurredAt }) => occurredAt),
  ),
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
  const order = orderOf(search, orders, 'OCCURRED_AT')
  const entries = auditFilterOf(search)
  const filter = { ...entries, ...(period && { occurredAt: rangeOf(period) }) }
  const variables = { ...pageOf(search, 25), filter, orderBy: order }
  const columns = columnsOf(({ id }) => setSearch({ entry: id }))
  const query = usePage(auditLog, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={auditLog}
      variables={variables}
      asked={query}
    >
      {({ auditLog: found }) => (
        <>
          <AuditFilters period={period}>
            <ListTools name="audit-log" columns={columns} order={order} filters={auditFilterNames}>
              <ExportList
                kind="AUDIT_LOG"
                filter={{
                  ...(Object.keys(entries).length > 0 && { auditLog: entries }),
                  ...(period && { createdAt: rangeOf(period) }),
                }}
              />
            </ListTools>
          </AuditFilters>
          <ConnectionTable
            label={texts.title}
            name="audit-log"
            order={order}
            of={found}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Object.keys(filter).length > 0}
            empty={<EmptyState icon={IconClipboardList} text={texts.empty} />}
          />
          <AuditDetails
            of={found.nodes.find(({ id }) => id === search['entry']) ?? null}
            onClose={() => setSearch({ entry: undefined })}
          />
        </>
      )}
    </Page>
  )
}
