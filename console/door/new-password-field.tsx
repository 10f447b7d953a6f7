import { PasswordInput } from '@mantine/core'
import { doorTexts as texts } from '../texts/door-texts.ts'

export const NewPasswordField = (props: { value: string; set: (value: string) => void }) => (
  <PasswordInput
    label={texts.newPassword}
    description={texts.newPasswordHint}
    autoComplete="new-password"
    required
    autoFocus
    value={props.value}
    onChange={(event) => props.set(event.currentTarget.value)}
  />
)
