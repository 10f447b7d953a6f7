import { Button, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { reviewQueue } from '../generated/review-queue.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { actionsColumn, column, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconChecklist } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { reviewQueueTexts as texts } from '../texts/review-queue-texts.ts'
import { ReviewDrawer } from './review-drawer.tsx'
import type { ReviewRow } from './review-row.ts'

const statuses = ['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED'] as const

const columnsOf = (open: (row: ReviewRow) => void): Column<ReviewRow>[] => [
  column(texts.game, ({ name, slug }) => (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {slug}
      </Text>
    </>
  )),
  column(texts.developer, ({ partner }) => partner.name),
  column(texts.build, ({ newestBuild }) => newestBuild && `#${newestBuild.number}`),
  timeColumn(texts.submitted, ({ newestBuild }) => newestBuild.submittedAt),
  statusColumn(texts.status, ({ status }) => status ?? ''),
  actionsColumn((row) => (
    <Button size="xs" variant="default" onClick={() => open(row)}>
      {texts.review}
    </Button>
  )),
]

/** Games that await a review by an operator. */
export const ReviewQueuePage = () => {
  const [search, setSearch] = usePageSearch()
  const status = chosen(search['status'], statuses) ?? 'PENDING_REVIEW'
  const variables = { ...pageOf(search, 25), filter: { statuses: [status] } }
  const query = usePage(reviewQueue, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <ChoiceField
          label={texts.status}
          name="status"
          values={statuses}
          fallback="PENDING_REVIEW"
        />
      }
      operation={reviewQueue}
      variables={variables}
      asked={query}
    >
      {({ platform }) => (
        <>
          <ConnectionTable
            label={texts.title}
            of={platform.arenaGames}
            columns={columnsOf(({ id }) => setSearch({ game: id }))}
            idOf={({ id }) => id}
            empty={<EmptyState icon={IconChecklist} text={texts.empty} />}
          />
          <ReviewDrawer
            of={platform.arenaGames.nodes.find(({ id }) => id === search['game']) ?? null}
            onClose={() => setSearch({ game: undefined })}
          />
        </>
      )}
    </Page>
  )
}
