import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { MemberRole } from '../../generated/operations/types.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { teamTexts as texts } from '../texts/team-texts.ts'

export const memberRoles = Object.keys(texts.roleNames) as MemberRole[]

/** Chooses a role by what it may do. Takes what `form.getInputProps` gives. */
export const RoleField = (props: {
  value?: MemberRole
  onChange?: (role: MemberRole) => void
  error?: ReactNode
}) => {
  const { value, onChange, error } = props
  const cannotMakeOwners = useMissingRight('OWNERS_WRITE') !== null
  return (
    <Radio.Group
      label={texts.role}
      value={value}
      onChange={(role) => onChange?.(role as MemberRole)}
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {memberRoles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={texts.roleNames[role]}
            description={texts.roleHints[role]}
            disabled={role === 'OWNER' && cannotMakeOwners}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
