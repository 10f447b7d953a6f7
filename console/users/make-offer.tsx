import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import type { OfferType } from '../generated/types.ts'
import { createOffer } from '../generated/user.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { offerTypeChoices } from '../parts/offer-types.ts'
import { RightButton } from '../parts/right-button.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

export const MakeOffer = ({ userId }: { userId: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createOffer)
  const form = useForm({
    initialValues: {
      offerType: 'RETURN_BONUS' as OfferType,
      title: '',
      points: 100,
      creditsPoints: true,
    },
  })
  return (
    <>
      <RightButton right="JOURNEYS_WRITE" variant="default" onClick={open}>
        {texts.makeOffer}
      </RightButton>
      <FormDialog
        title={texts.makeOffer}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) => change.mutateAsync({ input: { user: { id: userId }, ...values } })}
        submitLabel={texts.makeOffer}
        done={texts.offerMade}
      >
        <Select
          label={texts.offerType}
          allowDeselect={false}
          data={offerTypeChoices}
          {...form.getInputProps('offerType')}
        />
        <TextInput label={texts.offerTitle} data-autofocus {...form.getInputProps('title')} />
        <NumberInput
          label={texts.offerPoints}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('points')}
        />
        <Switch
          label={texts.credits}
          {...form.getInputProps('creditsPoints', { type: 'checkbox' })}
        />
      </FormDialog>
    </>
  )
}
