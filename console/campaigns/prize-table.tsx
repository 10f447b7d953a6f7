import { Stack, Table, Text, TextInput, Tooltip } from '@mantine/core'
import { numberText, percentText } from '../parts/formats.ts'
import { RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { RewardSelect } from '../rewards/reward-select.tsx'
import { campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import type { CampaignForm, PrizeRow } from './campaign-form.ts'

type PrizeLineProps = { form: CampaignForm; index: number; wins: number; chance: number }

const PrizeLine = ({ form, index, wins, chance }: PrizeLineProps) => {
  const field = (name: string) => form.getInputProps(`instantWinRules.prizeTiers.${index}.${name}`)
  const isWon = wins > 0
  const { name = '' } = form.values.instantWinRules.prizeTiers[index] ?? {}
  return (
    <Table.Tr>
      <Table.Td miw={180}>
        <Stack gap={4}>
          <Tooltip label={texts.prizeWasWon} disabled={!isWon} multiline maw={280}>
            <TextInput
              aria-label={texts.prize}
              required
              maxLength={100}
              readOnly={isWon}
              {...field('name')}
            />
          </Tooltip>
          <RewardSelect
            aria-label={texts.prizeReward(name)}
            placeholder={texts.noPrizeReward}
            size="xs"
            clearable
            {...field('reward')}
          />
        </Stack>
      </Table.Td>
      {(['points', 'weight'] as const).map((name) => (
        <Table.Td key={name} miw={name === 'points' ? 80 : 64}>
          <WholeNumberField
            hideControls
            aria-label={texts[name]}
            {...(name === 'weight' && { min: 1, max: 1_000_000 })}
            {...field(name)}
          />
        </Table.Td>
      ))}
      <Table.Td miw={72}>
        <WholeNumberField hideControls aria-label={texts.stock} min={wins} {...field('maxWins')} />
      </Table.Td>
      <Table.Td ta="right">{numberText(wins)}</Table.Td>
      <Table.Td ta="right">
        <Text size="sm">{percentText(chance)}</Text>
      </Table.Td>
      <Table.Td>
        <RemoveRow
          {...{ form, index }}
          path="instantWinRules.prizeTiers"
          label={texts.removePrize(name)}
          disabled={isWon}
        />
      </Table.Td>
    </Table.Tr>
  )
}

/** The prizes of an instant win: points, stock, and the chance that an event wins them. */
export const PrizeTable = (props: {
  form: CampaignForm
  winsOf: (prize: PrizeRow) => number
  chances: readonly number[]
}) => {
  const { form, winsOf, chances } = props
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.prize}</Table.Th>
            <Table.Th>{texts.points}</Table.Th>
            <Table.Th>{texts.weight}</Table.Th>
            <Table.Th>{texts.stock}</Table.Th>
            <Table.Th ta="right">{texts.won}</Table.Th>
            <Table.Th ta="right">{texts.chance}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {form.values.instantWinRules.prizeTiers.map((prize, index) => (
            <PrizeLine
              key={prize.key}
              form={form}
              index={index}
              wins={winsOf(prize)}
              chance={chances[index] ?? 0}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
