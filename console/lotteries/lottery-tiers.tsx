import { NumberInput, Select, Table, Text, TextInput } from '@mantine/core'
import { numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { lotteryEditorTexts as texts } from '../texts/lotteries-texts.ts'
import { dollars, type LotteryForm, newTier } from './lottery-form.ts'
import { lineChances } from './lottery-odds.ts'

const oddsText = (chance: number) =>
  chance > 0 ? texts.oneIn(numberText(Math.round(1 / chance))) : texts.never

const kinds = Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))

const TierLine = (props: { form: LotteryForm; index: number; chance: number }) => {
  const { form, index, chance } = props
  const tier = form.values.rules.tiers[index]
  const field = (name: string) => form.getInputProps(`rules.tiers.${index}.${name}`)
  const isAmount = tier?.kind === 'amount'
  return (
    <Table.Tr>
      <Table.Td miw={150}>
        <TextInput aria-label={texts.prize} required maxLength={60} {...field('name')} />
      </Table.Td>
      {(['mainMatches', 'bonusMatches'] as const).map((name) => (
        <Table.Td key={name} miw={80}>
          <WholeNumberField
            hideControls
            aria-label={texts[name]}
            max={20}
            disabled={name === 'bonusMatches' && !form.values.hasBonus}
            {...field(name)}
          />
        </Table.Td>
      ))}
      <Table.Td miw={160}>
        <Select aria-label={texts.kind} data={kinds} allowDeselect={false} {...field('kind')} />
      </Table.Td>
      <Table.Td miw={140}>
        <NumberInput
          aria-label={texts.value}
          required
          min={0.01}
          decimalScale={2}
          thousandSeparator=","
          {...(isAmount ? { prefix: '$ ', max: 21_474_836.47 } : { suffix: ' %', max: 100 })}
          {...field('value')}
        />
      </Table.Td>
      <Table.Td miw={130}>{oddsText(chance)}</Table.Td>
      <Table.Td>
        <RemoveRow
          {...{ form, index }}
          path="rules.tiers"
          label={texts.removeTier(tier?.name ?? '')}
          disabled={form.values.rules.tiers.length === 1}
        />
      </Table.Td>
    </Table.Tr>
  )
}

const titles = [
  texts.prize,
  texts.mainMatches,
  texts.bonusMatches,
  texts.kind,
  texts.value,
  texts.odds,
]

/** The prizes, the best first, with the chance of a line to win each, as they are edited. */
export const LotteryTiers = ({ form }: { form: LotteryForm }) => {
  const { rules, hasBonus } = form.values
  const chances = lineChances(rules.mainRange, hasBonus ? rules.bonusRange : null, rules.tiers)
  const expected = rules.tiers.reduce(
    (sum, { kind, value }, i) => sum + (kind === 'amount' ? value * (chances[i] ?? 0) : 0),
    0,
  )
  return (
    <Panel title={texts.prizes} hint={texts.prizesHint}>
      <Table.ScrollContainer minWidth={820}>
        <Table verticalSpacing={6} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {titles.map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.tiers.map(({ key }, index) => (
              <TierLine key={key} form={form} index={index} chance={chances[index] ?? 0} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <AddRow form={form} path="rules.tiers" label={texts.addTier} newRow={newTier} />
      <Text size="sm">{texts.expected(dollars(expected))}</Text>
    </Panel>
  )
}
