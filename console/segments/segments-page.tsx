import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { segments } from '../generated/segments.ts'
import type { SegmentsQuery } from '../generated/types.ts'
import { column, sortable, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { countText } from '../parts/formats.ts'
import { IconTargetArrow } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { CreateSegmentButton } from './create-segment.tsx'
import { SegmentFilter } from './segment-filter.tsx'

type Row = SegmentsQuery['segments']['nodes'][number]

const orders = { NAME: 'ASC', CREATED_AT: 'DESC' } as const

const columns: Column<Row>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.segment, ({ id, name }) => (
      <PageLink page="segments" id={id} size="sm" fw={600}>
        {name}
      </PageLink>
    )),
  ),
  wide(column(texts.filter, (row) => <SegmentFilter of={row} />)),
  { ...column(texts.users, ({ users }) => countText(users.totalCount)), textAlign: 'right' },
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
]

export const SegmentsPage = () => {
  const [search] = usePageSearch()
  const order = orderOf(search, orders, 'NAME')
  const variables = { ...pageOf(search, 25), orderBy: order }
  const query = usePage(segments, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<CreateSegmentButton />}
      operation={segments}
      variables={variables}
      asked={query}
    >
      {({ segments: found }) => (
        <ConnectionTable
          label={texts.title}
          name="segments"
          order={order}
          of={found}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <EmptyState
              icon={IconTargetArrow}
              text={texts.empty}
              action={<CreateSegmentButton />}
            />
          }
        />
      )}
    </Page>
  )
}
