import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { changePassword } from '../generated/account.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { accountTexts as texts } from '../texts/account-texts.ts'

export const ChangePasswordForm = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(changePassword)
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } })
  return (
    <>
      <RightButton right="OWN_ACCOUNT" variant="default" onClick={open}>
        {texts.changePassword}
      </RightButton>
      <FormDialog
        title={texts.changePassword}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(input) => change.mutateAsync({ input })}
        submitLabel={texts.changePassword}
        done={texts.passwordChanged}
      >
        <PasswordInput
          label={texts.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={texts.newPassword}
          description={texts.newPasswordHint}
          autoComplete="new-password"
          required
          {...form.getInputProps('newPassword')}
        />
      </FormDialog>
    </>
  )
}
