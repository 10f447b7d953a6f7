import { Group, NumberInput, Switch, Text } from '@mantine/core'
import { meanPayoutOf, rowChancesOf } from '../games/odds.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { AddRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import { type CampaignForm, newPrize, type PrizeRow } from './campaign-form.ts'
import { PrizeTable } from './prize-table.tsx'

/** How often a prize was won: 0 for a new prize, even if its name was used before. */
export const prizeWinsOf = ({ instantWinStats }: CampaignSetUpFragment) => {
  const wins = new Map(instantWinStats.prizeTiers.map(({ name, winCount }) => [name, winCount]))
  return ({ savedName }: PrizeRow) => (savedName === null ? 0 : (wins.get(savedName) ?? 0))
}

/** The prizes that events may win, with the chance of each as it is edited. */
// Long: one form, with its request and all of its fields.
export const InstantWinEditor = (props: { form: CampaignForm; of: CampaignSetUpFragment }) => {
  const { form, of } = props
  const { hasInstantWin, instantWinRules } = form.values
  const winsOf = prizeWinsOf(of)
  /** Only prizes in stock can be won. */
  const inStock = instantWinRules.prizeTiers.map((prize) => ({
    type: 'POINTS',
    value: Number(prize.points),
    weight: prize.maxWins > winsOf(prize) ? Number(prize.weight) : 0,
  }))
  const winRate = Number(instantWinRules.winRate) / 100
  const chances = rowChancesOf(inStock).map((chance) => chance * winRate)
  const stock = instantWinRules.prizeTiers.reduce(
    (sum, { points, maxWins }) => sum + points * maxWins,
    0,
  )
  return (
    <Panel title={texts.instantWin} hint={texts.instantWinHint}>
      <Switch
        label={texts.hasInstantWin}
        {...form.getInputProps('hasInstantWin', { type: 'checkbox' })}
      />
      {hasInstantWin && (
        <>
          <Group grow my="sm" align="flex-start">
            <NumberInput
              label={texts.winRate}
              required
              min={0}
              max={100}
              decimalScale={4}
              suffix=" %"
              {...form.getInputProps('instantWinRules.winRate')}
            />
            <WholeNumberField
              label={texts.winCodeDays}
              min={1}
              max={3650}
              {...form.getInputProps('instantWinRules.winCodeDays')}
            />
          </Group>
          {instantWinRules.prizeTiers.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.noPrizes}
            </Text>
          ) : (
            <PrizeTable form={form} winsOf={winsOf} chances={chances} />
          )}
          <AddRow
            form={form}
            path="instantWinRules.prizeTiers"
            label={texts.addPrize}
            newRow={newPrize}
          />
          <Text size="sm">
            {texts.payout((winRate * meanPayoutOf(inStock)).toFixed(1), numberText(stock))}
          </Text>
        </>
      )}
    </Panel>
  )
}
