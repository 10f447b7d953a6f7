import { Box } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { type ComponentProps, lazy, Suspense } from 'react'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { updateReward } from '../generated/reward.ts'
import { createReward } from '../generated/rewards.ts'
import type { RewardRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { useVersions } from '../parts/use-versions.ts'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'
import {
  inputOfReward,
  linesOfReward,
  rewardFieldOf,
  validateReward,
  valuesOfReward,
} from './reward-form.ts'

/** Wide enough for the form and the card beside it. */
const size = 1040

const FieldsAndCard = lazy(async () => ({
  default: (await import('./reward-fields.tsx')).FieldsAndCard,
}))

/** The fields of the form. They are loaded when the dialog opens. */
const Fields = (props: ComponentProps<typeof FieldsAndCard>) => (
  <Suspense fallback={<Box mih={480} />}>
    <FieldsAndCard {...props} />
  </Suspense>
)

/** Creates a reward and opens its page. */
export const NewReward = () => {
  const [isOpen, { open, close }] = useCreateDialog('PROGRAMME_WRITE')
  const change = useChange(createReward)
  const goTo = useGoTo()
  const form = useForm({ initialValues: valuesOfReward(), validate: validateReward() })
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        size={`${size}px`}
        nameOf={rewardFieldOf}
        submit={async (values) => {
          const input = { ...inputOfReward(values), kind: values.kind }
          const { reward } = await change.mutateAsync({ input })
          goTo({ page: 'rewards', id: reward.id })
        }}
        submitLabel={texts.create}
        done={texts.createdDone}
      >
        <Fields form={form} />
      </FormDialog>
    </>
  )
}

/** Edits everything but the kind of a reward. */
export const EditReward = ({ of }: { of: RewardRowFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const mutation = useChange(updateReward)
  const form = useForm({ initialValues: valuesOfReward(of), validate: validateReward(of) })
  const { change, conflict, load } = useVersions({
    form,
    of,
    valuesOf: valuesOfReward,
    linesOf: linesOfReward,
  })
  const start = () => {
    load(of)
    open()
  }
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        size={`${size}px`}
        nameOf={rewardFieldOf}
        conflict={conflict}
        submit={change(async (values, expectedVersion) => {
          const input = { reward: { id: of.id }, ...inputOfReward(values), expectedVersion }
          return (await mutation.mutateAsync({ input })).reward
        })}
        done={texts.saved}
      >
        <Fields form={form} of={of} />
      </FormDialog>
    </>
  )
}
