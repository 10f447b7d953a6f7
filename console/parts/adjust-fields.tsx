import { NumberInput, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { usersTexts as texts } from '../texts/users-texts.ts'

type Adjustment = { points: number | string; reason: string }

/** The points to add or to remove, and why: for one user or many. */
export const AdjustFields = (props: {
  form: UseFormReturnType<Adjustment>
  reasonHint?: string
}) => {
  const { form, reasonHint } = props
  return (
    <>
      <NumberInput
        label={texts.adjustPoints}
        description={texts.adjustPointsHint}
        allowDecimal={false}
        data-autofocus
        {...form.getInputProps('points')}
      />
      <Textarea
        label={texts.adjustReason}
        description={reasonHint}
        autosize
        minRows={2}
        {...form.getInputProps('reason')}
      />
    </>
  )
}
