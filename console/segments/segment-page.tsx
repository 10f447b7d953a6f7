import { Box, Grid } from '@mantine/core'
import { ActOnUsers } from '../batches/act-on-users.tsx'
import { useGoTo, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { deleteSegment, segment } from '../generated/segment.ts'
import type { UserRowFragment } from '../generated/types.ts'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconUsers } from '../parts/icons.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { EditSegmentButton } from './edit-segment.tsx'
import { SegmentFilter } from './segment-filter.tsx'
import { SegmentMoveFeed } from './segment-move-feed.tsx'

const columns: Column<UserRowFragment>[] = [
  column(texts.user, (row) => <UserLink of={row} />),
  numberColumn(texts.balance, ({ balance }) => balance),
  statusColumn(texts.stage, ({ journey }) => journey.stage),
  statusColumn(texts.engagementTier, ({ journey }) => journey.engagementTier),
  timeColumn(texts.lastSeen, ({ journey }) => journey.lastSeenAt),
]

const DeleteSegment = ({ id, name }: { id: string; name: string }) => {
  const goTo = useGoTo()
  const change = useChange(deleteSegment, { leave: () => goTo({ page: 'segments' }) })
  return (
    <DangerButton
      right="JOURNEYS_WRITE"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={name}
      act={() => change.mutateAsync({ input: { segment: { id } } })}
      done={texts.deleted}
    />
  )
}

/** One segment: who belongs to it now, and who moves. */
export const SegmentPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const variables = { by: { id }, ...pageOf(search, 25) }
  const query = usePage(segment, variables)
  const found = query.data?.segment
  return (
    <Page
      title={found?.name ?? texts.segment}
      actions={
        found && (
          <>
            <EditSegmentButton of={found} />
            <DeleteSegment id={found.id} name={found.name} />
          </>
        )
      }
      operation={segment}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchSegment}
    >
      {({ segment: shown }) =>
        shown ? (
          <>
            <SegmentFilter of={shown} />
            <Box mt="md">
              <ActOnUsers
                of={{
                  filter: { segment: { id: shown.id } },
                  name: shown.name,
                  count: shown.users.totalCount,
                }}
              />
            </Box>
            <Grid mt="md" gap="md">
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <ConnectionTable
                  label={shown.name}
                  of={shown.users}
                  columns={columns}
                  idOf={(row) => row.id}
                  empty={<EmptyState icon={IconUsers} text={texts.nobody} />}
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 4 }}>
                <SegmentMoveFeed segmentId={shown.id} />
              </Grid.Col>
            </Grid>
          </>
        ) : (
          <NoSuch text={texts.noSuchSegment} />
        )
      }
    </Page>
  )
}
