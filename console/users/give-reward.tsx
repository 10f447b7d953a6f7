import { Checkbox, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { v4 } from 'uuid'
import { useChange } from '../client/use-change.ts'
import { rewardChoices } from '../generated/rewards.ts'
import { giveReward } from '../generated/user.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { leftOf, worthOf } from '../rewards/reward-name.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'

const initialValues = { reward: null as string | null, note: '', needsClaim: false }

/** Gives a user a reward. */
// Long: one form, with its request and all of its fields.
export const GiveRewardButton = ({ userId }: { userId: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(giveReward)
  const form = useForm({
    initialValues,
    validate: { reward: (id) => (id === null ? texts.chooseReward : null) },
  })
  /** Makes retries idempotent after a lost answer. */
  const [reference, setReference] = useState('')
  const start = () => {
    setReference(`console-${v4()}`)
    open()
  }
  const give = async ({ reward, note, needsClaim }: typeof initialValues) => {
    const input = {
      user: { id: userId },
      reward: { id: reward ?? '' },
      ...{ reference, needsClaim, note: note || null },
    }
    const { grant } = await change.mutateAsync({ input })
    const isGiven = grant.status !== 'FAILED'
    notifications.show({
      message: isGiven ? texts.gave : texts.gaveNothing,
      color: isGiven ? 'teal' : 'red',
      autoClose: isGiven ? 4_000 : false,
    })
  }
  return (
    <>
      <RightButton right="GRANTS_WRITE" onClick={start}>
        {texts.give}
      </RightButton>
      <FormDialog
        title={texts.give}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={give}
        submitLabel={texts.give}
      >
        <FoundSelect
          label={texts.giveReward}
          placeholder={texts.givePlaceholder}
          operation={rewardChoices}
          choicesOf={({ rewards }) =>
            rewards.nodes.map((reward) => ({
              value: reward.id,
              label: reward.name,
              hint:
                reward.stock === null
                  ? worthOf(reward)
                  : texts.worthAndLeft(worthOf(reward), leftOf(reward)),
            }))
          }
          {...form.getInputProps('reward')}
        />
        <Textarea
          label={texts.giveNote}
          description={texts.giveNoteHint}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('note')}
        />
        <Checkbox
          label={texts.needsClaim}
          {...form.getInputProps('needsClaim', { type: 'checkbox' })}
        />
      </FormDialog>
    </>
  )
}
