import { Group, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { StartExportButton } from '../exports/start-export.tsx'
import { ledger } from '../generated/ledger.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import { column } from '../parts/columns.tsx'
import { ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconListDetails } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { type Period, PeriodField, useListPeriod } from '../parts/period.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { ledgerTexts as texts } from '../texts/ledger-texts.ts'
import { ledgerColumns } from './ledger-columns.tsx'
import { hasImpliedPeriod, impliedDays, ledgerDirections, ledgerFilterOf } from './ledger-filter.ts'
import { PointPolicyButton } from './point-policy.tsx'

const columns = ledgerColumns(column(texts.user, ({ user }) => <UserLink of={user} />))

const LedgerFilters = ({ period }: { period: Period | null }) => {
  const [search] = usePageSearch()
  return (
    <>
      <Group gap="xs" mb="sm">
        <SearchField label={texts.searchUser} name="user" />
        <SearchField label={texts.searchEvent} name="event" hasKey={false} />
        <SearchField label={texts.searchReference} name="reference" hasKey={false} />
        <ChoiceField
          label={texts.direction}
          name="direction"
          values={ledgerDirections}
          labelOf={(value) => texts.directions[value as keyof typeof texts.directions]}
        />
        <PeriodField of={period} />
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
  const variables = { ...pageOf(search, 25), filter }
  const asked = usePage(ledger, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <>
          <PointPolicyButton />
          <StartExportButton of="LEDGER" label={texts.export} />
        </>
      }
      operation={ledger}
      variables={variables}
      asked={asked}
    >
      {({ ledgerEntries: entries }) => (
        <>
          <LedgerFilters period={period} />
          <ConnectionTable
            label={texts.title}
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
