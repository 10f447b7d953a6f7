import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { disableTotp } from '../generated/account.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { accountTexts as texts } from '../texts/account-texts.ts'

export const TurnOffSecondFactor = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(disableTotp)
  const form = useForm({ initialValues: { code: '' } })
  return (
    <>
      <RightButton right="OWN_ACCOUNT" variant="default" onClick={open}>
        {texts.turnOff}
      </RightButton>
      <FormDialog
        title={texts.turnOffTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ code }) => change.mutateAsync({ input: { code: code.trim() } })}
        submitLabel={texts.turnOff}
        done={texts.turnedOff}
      >
        <TextInput
          label={texts.code}
          description={texts.anyCodeHint}
          autoComplete="one-time-code"
          required
          data-autofocus
          {...form.getInputProps('code')}
        />
      </FormDialog>
    </>
  )
}
