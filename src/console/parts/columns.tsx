/** Columns of tables by what they show. */
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/shell-texts.ts'
import type { Column } from './connection-table.tsx'
import { numberText } from './formats.ts'
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

export const numberColumn = <Row,>(title: string, of: (row: Row) => number): Column<Row> => ({
  ...column(title, (row: Row) => numberText(of(row))),
  textAlign: 'right',
})

export const statusColumn = <Row,>(title: string, of: (row: Row) => string): Column<Row> =>
  column(title, (row) => <Status of={of(row)} />)

/** Gives a column whose cells are long the whole width of a phone. */
export const wide = <Row,>(column: Column<Row>): Column<Row> => ({
  ...column,
  cellsClassName: classes['wide'] ?? '',
})

/** The last column: buttons for the actions of a row. */
export const actionsColumn = <Row,>(of: (row: Row) => ReactNode): Column<Row> => ({
  accessor: texts.actions,
  title: texts.actions,
  textAlign: 'right',
  cellsClassName: classes['actions'] ?? '',
  // Buttons say what they do.
  customCellAttributes: () => ({}),
  render: (row) => (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {of(row)}
    </Group>
  ),
})
