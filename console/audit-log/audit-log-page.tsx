import { Anchor, Badge, Group, Switch, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { auditLog } from '../generated/audit-log.ts'
import { column, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconClipboardList } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import { AuditDetails } from './audit-details.tsx'
import type { AuditRow } from './audit-row.ts'

const columnsOf = (show: (row: AuditRow) => void): Column<AuditRow>[] => [
  timeColumn(texts.time, ({ occurredAt }) => occurredAt),
  column(texts.who, ({ actorName, actorKind }) => (
    <>
      <Text size="sm">{actorName ?? '–'}</Text>
      <Text size="xs" c="dimmed">
        {humanized(actorKind)}
      </Text>
    </>
  )),
  column(texts.what, ({ action, refusal }) => (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" ff="monospace">
        {action}
      </Text>
      {refusal && (
        <Badge size="sm" color="red">
          {texts.refused}
        </Badge>
      )}
    </Group>
  )),
  column(texts.thing, ({ targetType }) => targetType),
  column(texts.environment, ({ environment }) => environment && humanized(environment)),
  column(texts.changes, (row) =>
    row.changes.length === 0 ? null : (
      <Anchor component="button" type="button" size="sm" onClick={() => show(row)}>
        {texts.changeCount(row.changes.length)}
      </Anchor>
    ),
  ),
]

export const AuditLogPage = () => {
  const [search, setSearch] = usePageSearch()
  const action = search['action']
  const isOnlyRefused = search['refused'] === 'yes'
  const filter = { ...(action && { action }), ...(isOnlyRefused && { isRefused: true }) }
  const variables = { ...pageOf(search, 25), filter }
  const asked = usePage(auditLog, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={auditLog}
      variables={variables}
      asked={asked}
    >
      {({ auditLog: entries }) => (
        <>
          <Group mb="sm">
            <SearchField label={texts.search} name="action" />
            <Switch
              label={texts.onlyRefused}
              checked={isOnlyRefused}
              onChange={({ currentTarget }) =>
                setSearch({ refused: currentTarget.checked ? 'yes' : undefined, after: undefined })
              }
            />
          </Group>
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
