import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { inviteMember } from '../generated/team.ts'
import type { MemberRole } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { teamTexts as texts } from '../texts/team-texts.ts'
import { RoleField } from './role-field.tsx'
import { showInvitation } from './show-invitation.ts'

export const InviteMemberButton = () => {
  const [isOpen, { open, close }] = useCreateDialog('MEMBERS_WRITE')
  const change = useChange(inviteMember)
  const form = useForm({ initialValues: { email: '', role: 'EDITOR' as MemberRole } })
  return (
    <>
      <RightButton right="MEMBERS_WRITE" onClick={open}>
        {texts.invite}
      </RightButton>
      <FormDialog
        title={texts.inviteTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (input) => showInvitation(await change.mutateAsync({ input }))}
        submitLabel={texts.invite}
      >
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleField {...form.getInputProps('role')} />
      </FormDialog>
    </>
  )
}
