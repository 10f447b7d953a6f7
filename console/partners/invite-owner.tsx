import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { inviteOwner } from '../generated/partners.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showInvitation } from '../team/show-invitation.ts'
import { partnersTexts as texts } from '../texts/partners-texts.ts'

/** Invites an owner of a partner, who can then invite the other members. */
export const InviteOwner = ({ partnerId, name }: { partnerId: string; name: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(inviteOwner)
  const form = useForm({ initialValues: { email: '' } })
  return (
    <>
      <RightButton right={undefined} size="xs" variant="default" onClick={open}>
        {texts.inviteOwner}
      </RightButton>
      <FormDialog
        title={texts.inviteOwnerOf(name)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async ({ email }) => {
          const input = { email, role: 'OWNER' as const, partner: { id: partnerId } }
          showInvitation(await change.mutateAsync({ input }))
        }}
        submitLabel={texts.invite}
      >
        <TextInput
          label={texts.email}
          description={texts.ownerHint}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
      </FormDialog>
    </>
  )
}
