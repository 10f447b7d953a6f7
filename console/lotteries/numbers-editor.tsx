import { SimpleGrid, Stack, Switch } from '@mantine/core'
import { Panel } from '../parts/panel.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { lotteryEditorTexts as texts } from '../texts/lotteries-texts.ts'
import type { LotteryForm } from './lottery-form.ts'

const RangeFields = (props: {
  form: LotteryForm
  of: 'mainRange' | 'bonusRange'
  label: string
}) => {
  const { form, of, label } = props
  return (
    <SimpleGrid cols={3}>
      <WholeNumberField
        label={label}
        min={of === 'mainRange' ? 1 : 0}
        max={20}
        {...form.getInputProps(`rules.${of}.count`)}
      />
      <WholeNumberField label={texts.min} max={999} {...form.getInputProps(`rules.${of}.min`)} />
      <WholeNumberField label={texts.max} max={999} {...form.getInputProps(`rules.${of}.max`)} />
    </SimpleGrid>
  )
}

/** How many numbers a line has, and from which range. */
export const NumbersEditor = ({ form }: { form: LotteryForm }) => (
  <Panel title={texts.numbers} hint={texts.numbersHint}>
    <Stack gap="sm">
      <RangeFields form={form} of="mainRange" label={texts.mainCount} />
      <Switch label={texts.hasBonus} {...form.getInputProps('hasBonus', { type: 'checkbox' })} />
      {form.values.hasBonus && <RangeFields form={form} of="bonusRange" label={texts.bonusCount} />}
      <WholeNumberField
        label={texts.maxTickets}
        min={1}
        max={10_000}
        {...form.getInputProps('rules.maxTicketsPerUser')}
      />
    </Stack>
  </Panel>
)
