import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { userBatches } from '../generated/batches.ts'
import type { UserBatchRowFragment } from '../generated/types.ts'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconUsers } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import { BatchProgress, isRunning } from './batch-progress.tsx'

const columns: Column<UserBatchRowFragment>[] = [
  column(texts.name, ({ id, name }) => (
    <PageLink page="batches" id={id} size="sm" fw={600}>
      {name}
    </PageLink>
  )),
  column(texts.kind, ({ kind }) => texts.kinds[kind]),
  numberColumn(texts.points, ({ points }) => points),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.progress, (row) => <BatchProgress of={row} />),
  numberColumn(texts.matched, ({ userCount }) => userCount),
  timeColumn(texts.started, ({ createdAt }) => createdAt),
]

export const BatchesPage = () => {
  const [search] = usePageSearch()
  const variables = pageOf(search, 25)
  const query = usePage(userBatches, variables, {
    refreshMs: (data) => (data?.userBatches.nodes.some(isRunning) ? 2_000 : 0),
  })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={userBatches}
      variables={variables}
      asked={query}
    >
      {({ userBatches: found }) => (
        <ConnectionTable
          label={texts.title}
          of={found}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <EmptyState
              icon={IconUsers}
              text={texts.empty}
              action={<PageLink page="users">{texts.toUsers}</PageLink>}
            />
          }
        />
      )}
    </Page>
  )
}
