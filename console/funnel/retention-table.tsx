import { Table, Text, Tooltip } from '@mantine/core'
import type { FunnelQuery } from '../generated/types.ts'
import { monthText, numberText, utcDateText, wholePercentText } from '../parts/formats.ts'
import { funnelTexts as texts } from '../texts/funnel-texts.ts'

type Cohort = FunnelQuery['retention'][number]
export type CohortLength = 'WEEK' | 'MONTH'

/** The shade of a retention rate, light enough to keep the text on it readable. */
const heatOf = (rate: number) =>
  `color-mix(in srgb, var(--mantine-color-teal-6) ${Math.round(rate * 55)}%, transparent)`

const CohortRow = ({ of, interval }: { of: Cohort; interval: CohortLength }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={500} style={{ whiteSpace: 'nowrap' }}>
      {interval === 'MONTH' ? monthText(of.startsAt) : utcDateText(of.startsAt)}
    </Table.Th>
    <Table.Td ta="right">{numberText(of.userCount)}</Table.Td>
    {of.periods.map(({ startsAt, activeUserCount, retentionRate }) => (
      <Tooltip
        key={startsAt}
        label={texts.cell(numberText(activeUserCount), numberText(of.userCount))}
      >
        <Table.Td
          ta="center"
          style={{ background: heatOf(retentionRate), color: 'var(--mantine-color-bright)' }}
        >
          {of.userCount === 0 ? '–' : wholePercentText(retentionRate)}
        </Table.Td>
      </Tooltip>
    ))}
  </Table.Tr>
)

/** The share of each cohort that was active again, period by period. */
export const RetentionTable = ({
  of,
  interval,
}: {
  of: readonly Cohort[]
  interval: CohortLength
}) => {
  const first = of.findIndex(({ userCount }) => userCount > 0)
  if (first === -1) return <Text c="dimmed">{texts.noUsers}</Text>
  const shown = of.slice(first)
  return (
    <Table.ScrollContainer minWidth={120 + 56 * shown.length}>
      <Table
        aria-label={texts.retention}
        withColumnBorders
        horizontalSpacing={6}
        verticalSpacing={6}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.cohort}</Table.Th>
            <Table.Th ta="right">{texts.size}</Table.Th>
            {shown.map(({ startsAt }, n) => (
              <Table.Th key={startsAt} ta="center">
                {texts.nth(n)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((cohort) => (
            <CohortRow key={cohort.startsAt} of={cohort} interval={interval} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
