import { Group, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { ledger } from '../generated/ledger.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import { column } from '../parts/columns.tsx'
import { ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconListDetails } from '../parts/icons.ts'
import { type ListOrder, orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { type Period, PeriodField, useListPeriod } from '../parts/period.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { ledgerTexts as texts } from '../texts/ledger-texts.ts'
import { ledgerColumns, ledgerOrders } from './ledger-columns.tsx'
import { hasImpliedPeriod, impliedDays, ledgerDirections, ledgerFilterOf } from './ledger-filter.ts'
import { PointPolicyButton } from './point-policy.tsx'

const columns = ledgerColumns(column(texts.user, ({ user }) => <UserLink of={user} />))
const filterNames = ['user', 'event', 'reference', 'direction', 'period', 'from', 'to']

const LedgerFilters = (props: {
  eventTypes: readonly string[]
  order: ListOrder
  period: Period | null
}) => {
  const { eventTypes, order, period } = props
  const [search] = usePageSearch()
  const event = search['event']
  return (
    <>
      <Group gap="xs" mb="sm">
        <SearchField label={texts.searchUser} name="user" />
        <ChoiceField
          label={texts.event}
          name="event"
          // A link may name a type that has no entries yet.
          values={event && !eventTypes.includes(event) ? [...eventTypes, event] : eventTypes}
          labelOf={(type) => type}
          isSearchable
        />
        <SearchField label={texts.searchReference} name="reference" hasKey={false} />
        <ChoiceField
          label={texts.direction}
          name="direction"
          values={ledgerDirections}
          labelOf={(value) => texts.directions[value as keyof typeof texts.directions]}
        />
        <PeriodField of={period} />
        <ListTools name="ledger" columns={columns} order={order} filters={filterNames}>
          <ExportList kind="LEDGER" filter={ledgerFilterOf(search, period)} />
        </ListTools>
      </Group>
      {hasImpliedPeriod(search, period) && (
        <Text size="xs" c="dimmed" mb="sm">
          {texts.pointsHint(String(impliedDays))}
        </Text>
      )}
    </>
  )
}

export const LedgerPage = () => {
  const [search] = usePageSearch()
  const period = useListPeriod()
  const filter = ledgerFilterOf(search, period)
  const order = orderOf(search, ledgerOrders, 'CREATED_AT')
  const variables = { ...pageOf(search, 25), filter, orderBy: order }
  const query = usePage(ledger, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PointPolicyButton />}
      operation={ledger}
      variables={variables}
      asked={query}
    >
      {({ ledgerEntries: entries, ledgerEventTypes }) => (
        <>
          <LedgerFilters eventTypes={ledgerEventTypes} order={order} period={period} />
          <ConnectionTable
            label={texts.title}
            name="ledger"
            order={order}
            of={entries}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Object.keys(filter).length > 0}
            empty={<EmptyState icon={IconListDetails} text={texts.empty} />}
          />
        </>
      )}
    </Page>
  )
}
