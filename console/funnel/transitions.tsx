import '@mantine/charts/styles.css'
import { SankeyChart } from '@mantine/charts'
import { SimpleGrid, Table, Text } from '@mantine/core'
import type { FunnelQuery } from '../generated/types.ts'
import { humanized, numberText } from '../parts/formats.ts'
import { funnelTexts as texts } from '../texts/funnel-texts.ts'
import { stageColors } from './stage-colors.ts'

type Transition = FunnelQuery['journeyFunnel']['transitions'][number]

const nameOf = (stage: Transition['from']) => (stage ? humanized(stage) : texts.first)

const colorOf = (stage: Transition['from']) => (stage ? stageColors[stage] : 'gray.6')

/** Each stage is on the left as the origin of users and on the right as their destination, so no move is circular. */
const flowOf = (of: readonly Transition[]) => {
  const befores = [...new Set(of.map(({ from }) => from))]
  const afters = [...new Set(of.map(({ to }) => to))]
  return {
    nodes: [...befores, ...afters].map((stage) => ({ name: nameOf(stage), color: colorOf(stage) })),
    links: of.map(({ from, to, count }) => ({
      source: befores.indexOf(from),
      target: befores.length + afters.indexOf(to),
      value: count,
    })),
  }
}

/** How users moved between stages, as a picture and as numbers. */
export const Transitions = ({ of }: { of: readonly Transition[] }) => {
  if (of.length === 0) return <Text c="dimmed">{texts.noMoves}</Text>
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <figure style={{ margin: 0 }} role="img" aria-label={texts.transitions}>
        <SankeyChart
          data={flowOf(of)}
          height={340}
          nodePadding={22}
          textColor="var(--mantine-color-text)"
          valueFormatter={numberText}
        />
      </figure>
      <Table.ScrollContainer minWidth={280} maxHeight={340}>
        <Table aria-label={texts.transitions} verticalSpacing={6} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.from}</Table.Th>
              <Table.Th>{texts.to}</Table.Th>
              <Table.Th ta="right">{texts.moves}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.map(({ from, to, count }) => (
              <Table.Tr key={`${from} ${to}`}>
                <Table.Td>{nameOf(from)}</Table.Td>
                <Table.Td>{nameOf(to)}</Table.Td>
                <Table.Td ta="right">{numberText(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </SimpleGrid>
  )
}
