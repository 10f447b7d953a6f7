import { useChange } from '../client/use-change.ts'
import { revokeInvitation } from '../generated/team.ts'
import type { TeamQuery } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { column, menuColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconMail } from '../parts/icons.ts'
import { teamTexts as texts } from '../texts/team-texts.ts'
import { InviteMemberButton } from './invite-member.tsx'

type Invitations = TeamQuery['invitations']

type Invitation = Invitations['nodes'][number]

const RevokeInvitation = ({ id, role }: Pick<Invitation, 'id' | 'role'>) => {
  const change = useChange(revokeInvitation)
  return (
    <ActionButton
      right={role === 'OWNER' ? 'OWNERS_WRITE' : 'MEMBERS_WRITE'}
      size="xs"
      label={texts.revoke}
      act={() => change.mutateAsync({ input: { invitationId: id } })}
      done={texts.revoked}
    />
  )
}

const columns: Column<Invitation>[] = [
  column(texts.email, ({ email }) => email),
  column(texts.role, ({ role }) => texts.roleNames[role]),
  timeColumn(texts.invited, ({ createdAt }) => createdAt),
  timeColumn(texts.expires, ({ expiresAt }) => expiresAt),
  menuColumn(
    ({ email }) => email,
    ({ id, role }) => <RevokeInvitation id={id} role={role} />,
  ),
]

export const OpenInvitations = ({ of }: { of: Invitations }) => (
  <ConnectionTable
    label={texts.invitations}
    of={of}
    columns={columns}
    idOf={({ id }) => id}
    empty={
      <EmptyState icon={IconMail} text={texts.noInvitations} action={<InviteMemberButton />} />
    }
  />
)
