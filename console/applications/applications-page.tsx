import { Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { applications } from '../generated/applications.ts'
import type { ApplicationRowFragment } from '../generated/types.ts'
import { column, menuColumn, sortable, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconApps } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'
import { signerOf } from './application-form.ts'
import { ApplicationStatusButton } from './application-status.tsx'
import { EditApplication } from './edit-application.tsx'
import { NewApplication } from './new-application.tsx'

const orders = { CREATED_AT: 'ASC' } as const

const columns: Column<ApplicationRowFragment>[] = [
  column(texts.name, ({ name }) => (
    <Text size="sm" fw={600}>
      {name}
    </Text>
  )),
  statusColumn(texts.status, ({ status }) => status),
  column(
    texts.publicProfiles,
    ({ publicProfileVisibility }) => texts.publicProfilesChoices[publicProfileVisibility].label,
  ),
  column(texts.userTokens, ({ userTokenPolicy }) => texts.userTokensChoices[userTokenPolicy].label),
  column(texts.signer, (row) => texts.signerNames[signerOf(row)]),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
  menuColumn(
    ({ name }) => name,
    (row) => (
      <>
        <EditApplication of={row} />
        <ApplicationStatusButton of={row} />
      </>
    ),
  ),
]

export const ApplicationsPage = () => {
  const [search] = usePageSearch()
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = { ...pageOf(search, 25), orderBy: order }
  const query = usePage(applications, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<NewApplication />}
      operation={applications}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <ConnectionTable
          label={texts.title}
          name="applications"
          order={order}
          of={data.applications}
          columns={columns}
          idOf={({ id }) => id}
          empty={<EmptyState icon={IconApps} text={texts.empty} action={<NewApplication />} />}
        />
      )}
    </Page>
  )
}
