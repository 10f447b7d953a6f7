import type { ReactNode } from 'react'
import { useMissingRight } from '../client/viewer.tsx'
import type { MemberRole } from '../generated/types.ts'
import { RadioField } from '../parts/radio-field.tsx'
import { teamTexts as texts } from '../texts/team-texts.ts'

export const memberRoles = Object.keys(texts.roleNames) as MemberRole[]

/** Chooses a role by its rights. Takes the props of `form.getInputProps`. */
export const RoleField = (props: {
  value?: MemberRole
  onChange?: (role: MemberRole) => void
  error?: ReactNode
}) => {
  const cannotMakeOwners = useMissingRight('OWNERS_WRITE') !== null
  const choices = Object.fromEntries(
    memberRoles.map((role) => [
      role,
      {
        label: texts.roleNames[role],
        hint: texts.roleHints[role],
        isDisabled: role === 'OWNER' && cannotMakeOwners,
      },
    ]),
  ) as Parameters<typeof RadioField<MemberRole>>[0]['choices']
  return <RadioField label={texts.role} choices={choices} {...props} />
}
