import { Progress, Select, Table, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { humanized, numberText, percentText } from '../parts/formats.ts'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import classes from '../parts/table.module.css'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import {
  type GameForm,
  hasOwnWorth,
  newReward,
  type RewardRow,
  rewardTypeText,
} from './game-form.ts'
import { rowChancesOf, worthOf } from './odds.ts'

type Form = UseFormReturnType<GameForm>

const tiers = ['COMMON', 'RARE', 'EPIC']
const types = ['POINTS', 'CASHBACK', 'XP', 'ITEM', 'SPECIAL'] as const

const choices = (values: readonly string[], labelOf: (value: string) => string) =>
  values.map((value) => ({ value, label: labelOf(value) }))

/** What a reward is worth: a field, or the number of points. */
const Worth = (props: { of: RewardRow; field: ReturnType<Form['getInputProps']> }) => {
  const { of, field } = props
  if (!hasOwnWorth(of)) return <Text size="sm">{numberText(worthOf(of) ?? 0)}</Text>
  return (
    <WholeNumberField
      hideControls
      required={false}
      aria-label={texts.worth}
      placeholder={texts.noWorth}
      {...field}
      value={field.value ?? ''}
      onChange={(value) => field.onChange(value === '' ? null : value)}
    />
  )
}

const Row = (props: { form: Form; index: number; probability: number }) => {
  const { form, index, probability } = props
  const field = (name: string) => form.getInputProps(`rewards.${index}.${name}`)
  const reward = form.values.rewards[index]
  return (
    <Table.Tr>
      <Table.Td miw={160}>
        <TextInput aria-label={texts.label} required maxLength={255} {...field('label')} />
      </Table.Td>
      <Table.Td miw={116} data-label={texts.tier}>
        <Select
          aria-label={texts.tier}
          data={choices(tiers, humanized)}
          allowDeselect={false}
          {...field('tier')}
        />
      </Table.Td>
      <Table.Td miw={124} data-label={texts.type}>
        <Select
          aria-label={texts.type}
          data={choices(types, rewardTypeText)}
          allowDeselect={false}
          {...field('type')}
        />
      </Table.Td>
      <Table.Td miw={96} data-label={texts.value}>
        <WholeNumberField hideControls aria-label={texts.value} {...field('value')} />
      </Table.Td>
      <Table.Td miw={96} data-label={texts.weight}>
        <WholeNumberField
          hideControls
          aria-label={texts.weight}
          max={1_000_000}
          {...field('weight')}
        />
      </Table.Td>
      <Table.Td miw={110} data-label={texts.probability}>
        <Text size="sm">{percentText(probability)}</Text>
        <Progress value={probability * 100} size="xs" aria-label={texts.probability} />
      </Table.Td>
      <Table.Td miw={104} data-label={texts.worth}>
        {reward && <Worth of={reward} field={field('worthPoints')} />}
      </Table.Td>
      <Table.Td>
        <RemoveRow
          {...{ form, index }}
          path="rewards"
          label={texts.removeReward(reward?.label ?? '')}
          disabled={form.values.rewards.length === 1}
        />
      </Table.Td>
    </Table.Tr>
  )
}

/** The rewards of a game with the probability of each line, as they are edited. */
export const RewardTable = ({ form }: { form: Form }) => {
  const { rewards } = form.values
  const probabilities = rowChancesOf(rewards)
  return (
    <>
      <Table.ScrollContainer minWidth={0}>
        <Table className={classes['table'] ?? ''} verticalSpacing={6} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {[
                texts.label,
                texts.tier,
                texts.type,
                texts.value,
                texts.weight,
                texts.probability,
                texts.worth,
              ].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rewards.map(({ key }, index) => (
              <Row key={key} form={form} index={index} probability={probabilities[index] ?? 0} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <AddRow form={form} path="rewards" label={texts.addReward} newRow={newReward} />
    </>
  )
}
