import { Alert, Anchor, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { makeChange } from '../client/change.ts'
import { requestPasswordReset, resetPassword } from '../generated/password-reset.ts'
import { doorTexts as texts } from '../texts/door-texts.ts'
import { CodeField } from './code-field.tsx'
import { DoorForm } from './door-form.tsx'
import { linkToken } from './link-token.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalOfChange } from './refusal-of-change.ts'

const toSignIn = (
  <Anchor href="/console/sign-in" size="sm" ta="center">
    {texts.toSignIn}
  </Anchor>
)

/** Shown after the form was submitted. */
const Outcome = ({ title, text }: { title: string; text: string }) => (
  <Stack gap="md">
    <Title order={1} size="h3">
      {title}
    </Title>
    <Alert color="teal" role="status">
      {text}
    </Alert>
    {toSignIn}
  </Stack>
)

/** Requests a link. The answer does not reveal whether the member exists. */
const ForgottenPassword = () => {
  const [email, setEmail] = useState('')
  const [isSent, setIsSent] = useState(false)
  if (isSent) return <Outcome title={texts.forgotTitle} text={texts.linkSent(email)} />
  const submit = () =>
    refusalOfChange(async () => {
      await makeChange(requestPasswordReset, { input: { email } }, 'LIVE')
      setIsSent(true)
      return null
    })
  return (
    <DoorForm
      title={texts.forgotTitle}
      hint={texts.forgotHint}
      label={texts.sendLink}
      submit={submit}
      footer={toSignIn}
    >
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </DoorForm>
  )
}

/** Sets a new password with the link, and with a code if the member has a second factor. */
const ChosenPassword = ({ token }: { token: string }) => {
  const [newPassword, setNewPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [isDone, setIsDone] = useState(false)
  if (isDone) return <Outcome title={texts.chosenTitle} text={texts.chosen} />
  const submit = async () => {
    const refused = await refusalOfChange(async () => {
      const input = { token, newPassword, ...(code !== null && { code }) }
      await makeChange(resetPassword, { input }, 'LIVE')
      // The link has been used and should not stay in the history.
      history.replaceState(null, '', location.pathname)
      setIsDone(true)
      return null
    })
    if (refused?.code !== 'SECOND_FACTOR_REQUIRED') return refused
    setCode('')
    return null
  }
  return (
    <DoorForm
      title={texts.chooseTitle}
      hint={texts.chooseHint}
      label={texts.choose}
      submit={submit}
      labels={{ newPassword: texts.newPassword }}
      footer={toSignIn}
    >
      <NewPasswordField name="newPassword" value={newPassword} set={setNewPassword} />
      {code !== null && <CodeField value={code} set={setCode} />}
    </DoorForm>
  )
}

/** For somebody who has forgotten their password, with or without a link. */
const PasswordResetForm = () => {
  const [token] = useState(linkToken)
  return token === null ? <ForgottenPassword /> : <ChosenPassword token={token} />
}

export default PasswordResetForm
