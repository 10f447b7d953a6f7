/** Table columns by the kind of their content. */
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/shell-texts.ts'
import type { Column } from './connection-table.tsx'
import { numberText } from './formats.ts'
import type { ListOrders } from './list-order.ts'
import { RowMenu } from './row-menu.tsx'
import { Status } from './status.tsx'
import classes from './table.module.css'
import { RelativeTime } from './when.tsx'

export const column = <Row,>(title: string, of: (row: Row) => ReactNode): Column<Row> => ({
  accessor: title,
  title,
  render: (row) => of(row) ?? '–',
})

export const timeColumn = <Row,>(
  title: string,
  of: (row: Row) => string | null | undefined,
): Column<Row> => column(title, (row) => <RelativeTime at={of(row)} />)

/** A text stands for a number that is not there. */
export const numberColumn = <Row,>(
  title: string,
  of: (row: Row) => number | string,
): Column<Row> => ({
  ...column(title, (row: Row) => {
    const value = of(row)
    return typeof value === 'number' ? numberText(value) : value
  }),
  textAlign: 'right',
})

export const statusColumn = <Row,>(title: string, of: (row: Row) => string): Column<Row> =>
  column(title, (row) => <Status of={of(row)} />)

/** A column that sorts the list by one of its orders. */
export const sortable = <Row, Field extends string>(
  orders: ListOrders<Field>,
  field: NoInfer<Field>,
  column: Column<Row>,
): Column<Row> => ({ ...column, sort: { field, direction: orders[field] } })

/** Gives a column with long cells the full width on a phone. */
export const wide = <Row,>(column: Column<Row>): Column<Row> => ({
  ...column,
  cellsClassName: classes['wide'] ?? '',
})

/** The last column: a menu of the actions of a row, which `nameOf` names. What is no action is shown beside it. */
export const menuColumn = <Row,>(
  nameOf: (row: Row) => string,
  of: (row: Row) => ReactNode,
): Column<Row> => actionsColumn((row) => <RowMenu name={nameOf(row)}>{of(row)}</RowMenu>)

/** The last column: buttons for the actions of a row. */
export const actionsColumn = <Row,>(of: (row: Row) => ReactNode): Column<Row> => ({
  accessor: texts.actions,
  title: texts.actions,
  textAlign: 'right',
  cellsClassName: classes['actions'] ?? '',
  // Without `data-label`: buttons need no title.
  customCellAttributes: () => ({}),
  render: (row) => (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {of(row)}
    </Group>
  ),
})
