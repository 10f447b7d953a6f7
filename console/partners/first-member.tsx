import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { createMember } from '../generated/partners.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { partnersTexts as texts } from '../texts/partners-texts.ts'

/** Adds an owner to a partner, who can then invite the other members. */
export const FirstMember = ({ partnerId, name }: { partnerId: string; name: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createMember)
  const form = useForm({ initialValues: { email: '', password: '' } })
  return (
    <>
      <RightButton right={undefined} size="xs" variant="default" onClick={open}>
        {texts.addOwner}
      </RightButton>
      <FormDialog
        title={texts.addOwnerTo(name)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) =>
          change.mutateAsync({ input: { ...values, partner: { id: partnerId }, role: 'OWNER' } })
        }
        submitLabel={texts.addOwner}
        done={texts.ownerAdded}
      >
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={texts.password}
          description={texts.passwordHint}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
      </FormDialog>
    </>
  )
}
