import { Alert, Anchor, Loader, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { makeChange } from '../client/change.ts'
import { request } from '../client/request.ts'
import { isRefusal, startSession } from '../client/session.ts'
import { acceptInvitation, publicInvitation } from '../generated/invitation.ts'
import type { PublicInvitationQuery } from '../generated/types.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { doorTexts as texts } from '../texts/door-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { teamTexts } from '../texts/team-texts.ts'
import { DoorForm } from './door-form.tsx'
import { linkToken } from './link-token.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalOfChange } from './refusal-of-change.ts'

type Invitation = NonNullable<PublicInvitationQuery['publicInvitation']>

const NoInvitation = () => (
  <Stack gap="md">
    <Title order={1} size="h3">
      {texts.joinTitle}
    </Title>
    <Alert color="yellow" role="alert">
      {texts.invitationOver}
    </Alert>
    <Anchor href="/console/sign-in" size="sm" ta="center">
      {texts.toSignIn}
    </Anchor>
  </Stack>
)

/** Says who invites whom to what, and creates the account. */
const JoinForm = ({ token, of }: { token: string; of: Invitation }) => {
  const { partnerName, invitedBy, email, role } = of
  const [password, setPassword] = useState('')
  const submit = () =>
    refusalOfChange(async () => {
      await makeChange(acceptInvitation, { input: { token, password } }, 'LIVE')
      const result = await startSession({ email, password })
      if (isRefusal(result)) return result
      location.assign('/console')
      return null
    })
  return (
    <DoorForm
      title={texts.join(partnerName)}
      hint={texts.invited(invitedBy)}
      label={texts.joinNow}
      submit={submit}
      labels={{ password: texts.newPassword }}
    >
      <Text size="sm">
        <Text component="span" fw={600} inherit>
          {teamTexts.roleNames[role]}
        </Text>
        {' · '}
        {teamTexts.roleHints[role]}
      </Text>
      <TextInput label={texts.email} autoComplete="username" readOnly value={email} />
      <NewPasswordField name="password" value={password} set={setPassword} />
    </DoorForm>
  )
}

/** Shows the invitation of a link, by which somebody creates an account and signs in. */
const InvitationForm = () => {
  const [token] = useState(linkToken)
  const [found, setFound] = useState<Invitation | 'none' | Error | null>(null)
  useEffect(() => {
    if (token === null) return
    request(publicInvitation, { token }, 'LIVE').then(
      ({ publicInvitation: invitation }) => setFound(invitation ?? 'none'),
      setFound,
    )
  }, [token])
  if (token === null) return <Alert color="yellow">{texts.invalidLink}</Alert>
  if (found === null) return <Loader aria-label={shellTexts.loading} />
  if (found instanceof Error) return <RefusalNotice error={found} />
  return found === 'none' ? <NoInvitation /> : <JoinForm token={token} of={found} />
}

export default InvitationForm
