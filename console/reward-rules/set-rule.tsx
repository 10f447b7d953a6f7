import { Autocomplete } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { setRewardRule } from '../generated/reward-rules.ts'
import type { RewardRuleRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { useConfirmation } from '../parts/use-confirmation.ts'
import { type FormLines, useVersions } from '../parts/use-versions.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { rewardRulesTexts as texts } from '../texts/reward-rules-texts.ts'

const valuesOf = (rule?: RewardRuleRowFragment) => ({
  eventType: rule?.eventType ?? '',
  points: rule?.points ?? 10,
})

const linesOf = ({ eventType, points }: ReturnType<typeof valuesOf>): FormLines => [
  [texts.eventType, eventType],
  [texts.points, numberText(points)],
]

// Loaded when it is opened.
const RewardRuleCheck = lazyRouteComponent(
  () => import('./reward-rule-check.tsx'),
  'RewardRuleCheck',
)

const settingsOf = ({ eventType, points }: ReturnType<typeof valuesOf>) => ({
  eventType: eventType.trim(),
  points,
})

/** Adds a rule, or changes the points of one. */
// Long: one form, with its request and all of its fields.
export const SetRule = ({ of: rule }: { of?: RewardRuleRowFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const mutation = useChange(setRewardRule)
  const form = useForm({ initialValues: valuesOf(rule) })
  const { change, conflict, load } = useVersions({ form, of: rule, valuesOf, linesOf })
  const confirmation = useConfirmation()
  const save = change(async (values, expectedVersion) => {
    const input = { ...settingsOf(values), expectedVersion }
    return (await mutation.mutateAsync({ input })).rewardRule
  })
  const shown = form.getValues()
  return (
    <>
      <RightButton
        right="GAMES_WRITE"
        {...(rule && { size: 'xs', variant: 'default' })}
        onClick={() => {
          load(rule)
          open()
        }}
      >
        {rule ? texts.edit : texts.add}
      </RightButton>
      <FormDialog
        title={rule ? texts.editTitle(rule.eventType) : texts.add}
        isOpen={isOpen}
        onClose={close}
        form={form}
        conflict={conflict}
        submit={async (values) => {
          await confirmation.ask(true)
          await save(values)
        }}
        done={texts.saved}
        check={
          confirmation.isOpen && (
            <RewardRuleCheck
              frame={confirmation.frameOf(shown.eventType)}
              rule={settingsOf(shown)}
              change={rule && { before: linesOf(valuesOf(rule)), after: linesOf(shown) }}
            />
          )
        }
      >
        {!rule && (
          <Autocomplete
            label={texts.eventType}
            description={texts.eventTypeHint}
            data={[...texts.suggestions]}
            required
            maxLength={255}
            data-autofocus
            {...form.getInputProps('eventType')}
          />
        )}
        <WholeNumberField label={texts.points} min={1} {...form.getInputProps('points')} />
      </FormDialog>
    </>
  )
}
