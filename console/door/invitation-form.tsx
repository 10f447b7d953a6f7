import { Alert } from '@mantine/core'
import { useState } from 'react'
import { makeChange } from '../client/change.ts'
import { startSession } from '../client/session.ts'
import { acceptInvitation } from '../generated/invitation.ts'
import { doorTexts as texts } from '../texts/door-texts.ts'
import { DoorForm } from './door-form.tsx'
import { linkToken } from './link-token.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalOfChange } from './refusal-of-change.ts'

/** Creates an account from an invitation, and signs in. */
const InvitationForm = () => {
  const [password, setPassword] = useState('')
  const token = linkToken()
  if (token === null) return <Alert color="yellow">{texts.invalidLink}</Alert>
  const submit = () =>
    refusalOfChange(async () => {
      const { member } = await makeChange(acceptInvitation, { input: { token, password } }, 'LIVE')
      const refused = await startSession({ email: member.email, password })
      if (!refused) location.assign('/console')
      return refused
    })
  return (
    <DoorForm title={texts.joinTitle} hint={texts.joinHint} label={texts.join} submit={submit}>
      <NewPasswordField value={password} set={setPassword} />
    </DoorForm>
  )
}

export default InvitationForm
