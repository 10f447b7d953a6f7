import { ActionIcon, Group, Paper, Text, Tooltip } from '@mantine/core'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import type { ReactNode } from 'react'
import { type Search, usePageSearch } from '../client/link.tsx'
import { texts } from '../texts/shell-texts.ts'
import { countText } from './formats.ts'
import {
  type Icon,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from './icons.ts'
import type { ListOrder } from './list-order.ts'
import { useListSettings } from './list-settings.ts'
import { SortButton } from './sort-button.tsx'
import classes from './table.module.css'

type Connection<Row> = {
  nodes: readonly Row[]
  pageInfo?: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  totalCount?: { value: number; precision: 'EXACT' | 'AT_LEAST' }
}

export type Column<Row> = Omit<DataTableColumn<Row>, 'title' | 'accessor'> & {
  accessor: string
  title: string
  /** The order of the API that sorts by this column, and the direction of the first click. */
  sort?: ListOrder
}

/** The value in the URL, instead of a cursor, for the last page. */
const end = 'end'

/** The pagination arguments `first`, `after`, `last` and `before` of a query, from the cursors in the URL. */
export const pageOf = ({ after, before }: Search, size: number) =>
  before
    ? { last: size, ...(before !== end && { before }) }
    : { first: size, ...(after && { after }) }

const TurnButton = (props: {
  label: string
  icon: Icon
  isPossible: boolean
  to: { after?: string | null; before?: string | null }
}) => {
  const { label, icon: TurnIcon, isPossible, to } = props
  const [, setSearch] = usePageSearch()
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={30}
        variant="default"
        aria-label={label}
        disabled={!isPossible}
        onClick={() => setSearch({ after: to.after ?? undefined, before: to.before ?? undefined })}
      >
        <TurnIcon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

const Pager = <Row,>({ of }: { of: Connection<Row> }) => {
  const { pageInfo, totalCount } = of
  const { hasPreviousPage = false, hasNextPage = false, startCursor, endCursor } = pageInfo ?? {}
  if (!totalCount && !hasPreviousPage && !hasNextPage) return null
  return (
    <Group justify="space-between" p="xs" gap="xs">
      <Text size="sm" c="dimmed">
        {totalCount && texts.rows(countText(totalCount))}
      </Text>
      {(hasNextPage || hasPreviousPage) && (
        <ActionIcon.Group>
          <TurnButton
            label={texts.first}
            icon={IconChevronsLeft}
            isPossible={hasPreviousPage}
            to={{}}
          />
          <TurnButton
            label={texts.previous}
            icon={IconChevronLeft}
            isPossible={hasPreviousPage}
            to={{ before: startCursor ?? null }}
          />
          <TurnButton
            label={texts.next}
            icon={IconChevronRight}
            isPossible={hasNextPage}
            to={{ after: endCursor ?? null }}
          />
          <TurnButton
            label={texts.last}
            icon={IconChevronsRight}
            isPossible={hasNextPage}
            to={{ before: end }}
          />
        </ActionIcon.Group>
      )}
    </Group>
  )
}

/** Adds the title of a column to its cells, because a phone shows it in each cell. */
const shownAs = <Row,>(
  { sort, ...column }: Column<Row>,
  order: ListOrder | undefined,
): DataTableColumn<Row> =>
  ({
    customCellAttributes: () => ({ 'data-label': column.title }),
    ...column,
    ...(sort && order && { title: <SortButton label={column.title} first={sort} order={order} /> }),
  }) as DataTableColumn<Row>

/** A list of the API as a table, a page at a time. Without rows it says what to do next. */
export const ConnectionTable = <Row extends object>(props: {
  label: string
  /** The name under which the browser keeps which columns are shown; see `ListTools`. */
  name?: string
  /** The order of the rows, for lists that can be sorted. */
  order?: ListOrder
  of: Connection<Row>
  columns: Column<Row>[]
  idOf: (row: Row) => string
  empty: ReactNode
  isFiltered?: boolean
}) => {
  const { label, name, order, of, columns, idOf, empty, isFiltered } = props
  const [{ hidden }] = useListSettings(name)
  if (of.nodes.length === 0)
    return (
      <Paper withBorder p="xl" ta="center">
        {isFiltered ? <Text c="dimmed">{texts.nothingFound}</Text> : empty}
      </Paper>
    )
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <DataTable
        aria-label={label}
        records={[...of.nodes]}
        columns={columns
          .filter(({ title }) => !hidden.includes(title))
          .map((column) => shownAs(column, order))}
        classNames={{ table: classes['table'] ?? '' }}
        idAccessor={idOf}
        highlightOnHover
        verticalSpacing="xs"
        // A table with rows would have its message for none, too, which only the eye does not see.
        emptyState={<span />}
        // Places the scroll bar below the last row, not over it.
        scrollAreaProps={{
          type: 'auto',
          offsetScrollbars: 'present',
          viewportProps: { tabIndex: 0 },
        }}
      />
      <Pager of={of} />
    </Paper>
  )
}
