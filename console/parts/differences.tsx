import { Table, Text } from '@mantine/core'
import { conflictTexts as texts } from '../texts/conflict-texts.ts'
import type { FormLines } from './use-versions.ts'

/** Lines by label. A second line with the same label is a different line. */
const byLabel = (lines: FormLines) => {
  const counts = new Map<string, number>()
  return new Map(
    lines.map(([label, text]) => {
      const count = counts.get(label) ?? 0
      counts.set(label, count + 1)
      return [`${label}\n${count}`, text] as const
    }),
  )
}

/** The fields in which two states of a form differ. */
export const Differences = (props: {
  left: FormLines
  right: FormLines
  leftTitle: string
  rightTitle: string
}) => {
  const { leftTitle, rightTitle } = props
  const [left, right] = [byLabel(props.left), byLabel(props.right)]
  const keys = [...new Set([...left.keys(), ...right.keys()])].filter(
    (key) => left.get(key) !== right.get(key),
  )
  if (keys.length === 0) return <Text c="dimmed">{texts.same}</Text>
  return (
    <Table.ScrollContainer minWidth={300}>
      <Table verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.field}</Table.Th>
            <Table.Th>{leftTitle}</Table.Th>
            <Table.Th>{rightTitle}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{key.split('\n')[0]}</Table.Th>
              {[left, right].map((lines, i) => (
                <Table.Td key={i} style={{ overflowWrap: 'anywhere' }}>
                  {lines.get(key) || texts.none}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
