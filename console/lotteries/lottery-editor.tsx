import {
  ColorInput,
  Fieldset,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Suspense } from 'react'
import { useChange } from '../client/use-change.ts'
import { updateLottery } from '../generated/lottery.ts'
import type { LotterySetUpFragment } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { faultOfPast } from '../parts/past.ts'
import { useConfirmation } from '../parts/use-confirmation.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { lotteriesTexts, lotteryEditorTexts as texts } from '../texts/lotteries-texts.ts'
import { LotteryCheck, useManages } from './lottery-actions.tsx'
import {
  inputOfLottery,
  type LotteryForm,
  type LotteryValues,
  linesOfLottery,
  lotteryFieldOf,
  valuesOfLottery,
} from './lottery-form.ts'
import { LotteryTiers } from './lottery-tiers.tsx'
import { NumbersEditor } from './numbers-editor.tsx'

const TextsAndLook = ({ form }: { form: LotteryForm }) => (
  <Panel title={texts.texts}>
    <Stack gap="sm">
      <TextInput
        label={lotteriesTexts.name}
        required
        maxLength={120}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={texts.descriptionLabel}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <MomentField
        label={lotteriesTexts.ends}
        description={lotteriesTexts.endsHint}
        clearable
        isAhead
        {...form.getInputProps('endsAt')}
      />
      <WholeNumberField
        label={texts.delay}
        description={texts.delayHint}
        max={86_400}
        {...form.getInputProps('drawDelaySeconds')}
      />
      <ColorInput
        label={texts.color}
        eyeDropperButtonProps={{ 'aria-label': texts.pickColor }}
        {...form.getInputProps('primaryColor')}
      />
      <TextInput label={texts.logo} type="url" {...form.getInputProps('logoUrl')} />
    </Stack>
  </Panel>
)

/** The API takes cents. */
const largestAmount = 21_474_836.47

const Pot = ({ form }: { form: LotteryForm }) => (
  <Panel title={texts.pot} hint={texts.potHint}>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {(['potBase', 'potPerTicket'] as const).map((name) => (
        <NumberInput
          key={name}
          label={texts[name]}
          required
          min={0}
          max={name === 'potBase' ? largestAmount : 10_000}
          decimalScale={2}
          fixedDecimalScale
          prefix="$ "
          thousandSeparator=","
          {...form.getInputProps(`rules.${name}`)}
        />
      ))}
    </SimpleGrid>
  </Panel>
)

const rulesOf = (values: LotteryValues) => inputOfLottery('', 0, values).rules

/** Of a lottery that runs, the numbers, the pot and the prizes are asked about. */
const needsCheck = (of: LotterySetUpFragment, values: LotteryValues) =>
  of.status !== 'DRAFT' &&
  JSON.stringify(rulesOf(values)) !== JSON.stringify(rulesOf(valuesOfLottery(of)))

/** Changes a lottery. Draws that have opened keep their published rules. */
export const LotteryEditor = ({ of }: { of: LotterySetUpFragment }) => {
  const mutation = useChange(updateLottery)
  const isManaged = useManages(of)
  const confirmation = useConfirmation()
  const { form, editor } = useEditor<LotteryValues, LotterySetUpFragment>({
    of,
    valuesOf: (item = of) => valuesOfLottery(item),
    linesOf: linesOfLottery,
    confirm: (values) => confirmation.ask(needsCheck(of, values)),
    validate: ({ endsAt }) => ({ endsAt: faultOfPast(endsAt, of.endsAt) }),
    done: texts.saved,
    nameOf: lotteryFieldOf,
    send: async (values, version) => {
      const input = inputOfLottery(of.id, version, values)
      return (await mutation.mutateAsync({ input })).lottery
    },
  })
  return (
    <EditorForm of={editor}>
      <Fieldset variant="unstyled" disabled={!isManaged}>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <TextsAndLook form={form} />
            <Stack gap="md">
              <NumbersEditor form={form} />
              <Pot form={form} />
            </Stack>
          </SimpleGrid>
          <LotteryTiers form={form} />
          {isManaged && <EditorEnd of={editor} right="LOTTERIES_WRITE" />}
        </Stack>
      </Fieldset>
      <Suspense>
        {confirmation.isOpen && (
          <LotteryCheck
            of={of}
            to="save"
            rules={rulesOf(form.getValues())}
            lines={{
              before: linesOfLottery(valuesOfLottery(of)),
              after: linesOfLottery(form.getValues()),
            }}
            frame={confirmation.frameOf(of.name)}
          />
        )}
      </Suspense>
    </EditorForm>
  )
}
