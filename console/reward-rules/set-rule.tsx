import { Autocomplete } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { setRewardRule } from '../generated/reward-rules.ts'
import type { RewardRuleRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
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

/** Adds a rule, or changes the points of one. */
// Long: one form, with its request and all of its fields.
export const SetRule = ({ of: rule }: { of?: RewardRuleRowFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const mutation = useChange(setRewardRule)
  const form = useForm({ initialValues: valuesOf(rule) })
  const { change, conflict, load } = useVersions({ form, of: rule, valuesOf, linesOf })
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
        submit={change(async ({ eventType, points }, expectedVersion) => {
          const input = { eventType: eventType.trim(), points, expectedVersion }
          return (await mutation.mutateAsync({ input })).rewardRule
        })}
        done={texts.saved}
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
