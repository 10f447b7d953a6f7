import { Table } from '@mantine/core'
import { checkTexts as texts } from '../texts/check-texts.ts'

/** Figures before and after a change. */
export const NowAndThen = (props: {
  of: readonly (readonly [label: string, now: string | null, then: string])[]
}) => {
  const hasNow = props.of.some(([, now]) => now !== null)
  return (
    <Table verticalSpacing={4} horizontalSpacing={6}>
      {hasNow && (
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th ta="right">{texts.before}</Table.Th>
            <Table.Th ta="right">{texts.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody>
        {props.of.map(([label, now, then]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400}>
              {label}
            </Table.Th>
            {hasNow && <Table.Td ta="right">{now}</Table.Td>}
            <Table.Td ta="right" fw={now !== null && now !== then ? 600 : 400}>
              {then}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
