import { Code, Text } from '@mantine/core'
import type { LedgerRowFragment } from '../generated/types.ts'
import { column, menuColumn, numberColumn, sortable, timeColumn } from '../parts/columns.tsx'
import type { Column } from '../parts/connection-table.tsx'
import { changeText, numberText } from '../parts/formats.ts'
import { ShortId } from '../parts/short-id.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { ledgerTexts as texts } from '../texts/ledger-texts.ts'
import { EntrySource } from './entry-source.tsx'
import { ReverseEntry } from './reverse-entry.tsx'

/** What an entry was for. A correction says why it was made, and an entry that was reversed says so. */
const EntryEvent = ({ of: { eventType, correction, reversal } }: { of: LedgerRowFragment }) => {
  const reverses = correction?.reverses
  const lines = [
    reverses && texts.takesBack(numberText(reverses.points), reverses.eventType),
    correction?.reason,
    reversal?.correction?.reason && texts.reversedBy(reversal.correction.reason),
  ].filter((line) => line != null)
  return (
    <>
      <Code>{eventType}</Code>
      {lines.map((line) => (
        <Text key={line} size="xs" c="dimmed" maw={320}>
          {line}
        </Text>
      ))}
    </>
  )
}

const EntryPoints = ({ of: { points, reversal } }: { of: LedgerRowFragment }) =>
  reversal ? (
    <Text component="del" td="line-through" size="sm" c="dimmed">
      {changeText(points)}
    </Text>
  ) : (
    <Text component="span" inherit fw={600} {...(points > 0 && { c: 'teal' })}>
      {changeText(points)}
    </Text>
  )

const EntryActions = ({ of }: { of: LedgerRowFragment }) => (
  <>
    {of.reversal && (
      <Text size="sm" c="dimmed">
        {texts.isReversed} <RelativeTime at={of.reversal.createdAt} />
      </Text>
    )}
    <ReverseEntry of={of} />
  </>
)

export const ledgerOrders = { CREATED_AT: 'DESC' } as const

/** The columns of entries. `others` follow the time. */
export const ledgerColumns = (
  ...others: Column<LedgerRowFragment>[]
): Column<LedgerRowFragment>[] => [
  sortable(
    ledgerOrders,
    'CREATED_AT',
    timeColumn(texts.time, ({ createdAt }) => createdAt),
  ),
  ...others,
  column(texts.event, (row) => <EntryEvent of={row} />),
  column(texts.source, (row) => <EntrySource of={row} />),
  { ...column(texts.points, (row) => <EntryPoints of={row} />), textAlign: 'right' },
  numberColumn(texts.balanceAfter, ({ balanceAfter }) => balanceAfter),
  column(texts.reference, ({ reference }) => <ShortId of={reference} />),
  menuColumn(
    ({ eventType, points }) => texts.entryName(eventType, changeText(points)),
    (row) => <EntryActions of={row} />,
  ),
]
