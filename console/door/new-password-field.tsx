import { PasswordInput } from '@mantine/core'
import { doorTexts as texts } from '../texts/door-texts.ts'
import { useDoorFault } from './door-faults.ts'

export const NewPasswordField = (props: {
  /** Its name in the input. */
  name: string
  value: string
  set: (value: string) => void
}) => (
  <PasswordInput
    label={texts.newPassword}
    description={texts.newPasswordHint}
    autoComplete="new-password"
    required
    autoFocus
    value={props.value}
    onChange={(event) => props.set(event.currentTarget.value)}
    error={useDoorFault(props.name)}
  />
)
