import { Table, Text } from '@mantine/core'
import { numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import classes from '../parts/table.module.css'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import type { RewardRow } from './game-form.ts'
import { rowChancesOf, worthOf } from './odds.ts'

const per = 1000

/** A number of prizes: whole ones where they are many, and tenths or hundredths of rare ones. */
const countText = (count: number) =>
  numberText(Number(count.toFixed(count >= 10 ? 0 : count >= 1 ? 1 : 2)))

/**
 * How many of each prize are to be expected, and what they are worth.
 * @param plays in the last 30 days; undefined for a game that is not set up, which is shown like none
 */
export const ExpectedPrizes = (props: { rewards: RewardRow[]; plays: number | undefined }) => {
  const { rewards, plays } = props
  const chances = rowChancesOf(rewards)
  const lastDays = plays ? texts.inLastDays(numberText(plays)) : null
  return (
    <Panel title={texts.expectedPrizes} hint={texts.expectedPrizesHint}>
      <Table.ScrollContainer minWidth={0}>
        <Table className={classes['table'] ?? ''} verticalSpacing={6} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.label}</Table.Th>
              <Table.Th ta="right">{texts.perThousand}</Table.Th>
              {lastDays && <Table.Th ta="right">{lastDays}</Table.Th>}
              <Table.Th ta="right">{texts.worthPerThousand}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rewards.map((reward, i) => {
              const chance = chances[i] ?? 0
              const worth = worthOf(reward)
              return (
                <Table.Tr key={reward.key}>
                  <Table.Td>{reward.label || '–'}</Table.Td>
                  <Table.Td ta="right" data-label={texts.perThousand}>
                    {countText(chance * per)}
                  </Table.Td>
                  {lastDays && (
                    <Table.Td ta="right" data-label={lastDays}>
                      {countText(chance * (plays ?? 0))}
                    </Table.Td>
                  )}
                  <Table.Td ta="right" data-label={texts.worthPerThousand}>
                    {worth === null ? (
                      <Text span size="sm" c="dimmed">
                        {texts.noWorth}
                      </Text>
                    ) : (
                      countText(worth * chance * per)
                    )}
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}
