import { Table, Text } from '@mantine/core'
import type { OffersQuery } from '../generated/types.ts'
import { humanized, numberText, percentText } from '../parts/formats.ts'
import { offersTexts as texts } from '../texts/offers-texts.ts'

type Series = OffersQuery['byType']

const totalOf = (of: Series, metric: Series[number]['metric'], type: string | null) =>
  of.find((item) => item.metric === metric && item.group === type)?.total ?? 0

/** Offers made and claimed, by type. */
export const OffersByType = ({ of }: { of: Series }) => {
  const types = [...new Set(of.map(({ group }) => group))]
  if (types.length === 0) return <Text c="dimmed">{texts.none}</Text>
  return (
    <Table.ScrollContainer minWidth={240}>
      <Table aria-label={texts.byType} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.type}</Table.Th>
            {[texts.made, texts.claimed, texts.rate].map((title) => (
              <Table.Th key={title} ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {types.map((type) => {
            const made = totalOf(of, 'OFFERS_MADE', type)
            const claimed = totalOf(of, 'OFFERS_CLAIMED', type)
            return (
              <Table.Tr key={type}>
                <Table.Td>{humanized(type ?? '')}</Table.Td>
                <Table.Td ta="right">{numberText(made)}</Table.Td>
                <Table.Td ta="right">{numberText(claimed)}</Table.Td>
                <Table.Td ta="right">{made === 0 ? '–' : percentText(claimed / made)}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
