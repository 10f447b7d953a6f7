import { Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import { createPasswordResetLink, deleteMember, updateMember } from '../generated/team.ts'
import type { MemberRowFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { teamTexts as texts } from '../texts/team-texts.ts'
import { RoleField } from './role-field.tsx'

type Props = { of: MemberRowFragment }

const EditMember = ({ of }: Props) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(updateMember)
  const form = useForm({ initialValues: { role: of.role, removeSecondFactor: false } })
  const start = () => {
    form.setValues({ role: of.role, removeSecondFactor: false })
    open()
  }
  return (
    <>
      <RightButton
        right={of.role === 'OWNER' ? 'OWNERS_WRITE' : 'MEMBERS_WRITE'}
        size="xs"
        variant="default"
        onClick={start}
      >
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editOf(of.email)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ role, removeSecondFactor }) =>
          change.mutateAsync({
            input: {
              memberId: of.id,
              ...(role !== of.role && { role }),
              ...(removeSecondFactor && { removeSecondFactor }),
            },
          })
        }
        done={texts.saved}
      >
        <RoleField {...form.getInputProps('role')} />
        {of.hasSecondFactor && (
          <Switch
            label={texts.removeSecondFactor}
            description={texts.removeSecondFactorHint}
            {...form.getInputProps('removeSecondFactor', { type: 'checkbox' })}
          />
        )}
      </FormDialog>
    </>
  )
}

const ResetPassword = ({ of }: Props) => {
  const change = useChange(createPasswordResetLink)
  return (
    <ActionButton
      right={of.role === 'OWNER' ? 'OWNERS_WRITE' : 'MEMBERS_WRITE'}
      size="xs"
      label={texts.resetLink}
      act={async () => {
        const { link } = await change.mutateAsync({ input: { memberId: of.id } })
        showSecret({
          title: texts.resetLinkTitle,
          hint: texts.resetLinkHint(of.email),
          secret: link,
        })
      }}
    />
  )
}

const DeleteMember = ({ of }: Props) => {
  const change = useChange(deleteMember)
  return (
    <DangerButton
      right={of.role === 'OWNER' ? 'OWNERS_WRITE' : 'MEMBERS_WRITE'}
      size="xs"
      label={texts.delete}
      explanation={texts.deleteExplanation(of.email)}
      name={of.email}
      act={() => change.mutateAsync({ input: { memberId: of.id } })}
      done={texts.deleted}
    />
  )
}

/** The actions for a member. Nobody changes or deletes themselves. */
export const MemberActions = ({ of }: Props) => {
  const { member } = useViewer()
  if (member?.id === of.id) return null
  return (
    <>
      <EditMember of={of} />
      <ResetPassword of={of} />
      <DeleteMember of={of} />
    </>
  )
}
