import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isRefusal, startSession } from '../client/session.ts'
import { doorTexts as texts } from '../texts/door-texts.ts'
import { CodeField } from './code-field.tsx'
import { DoorForm } from './door-form.tsx'

/** Where to go after the sign-in: only to a page of the console, never to another origin. */
const destination = () => {
  const then = new URLSearchParams(location.search).get('then') ?? ''
  return /^\/console(\/[^/\\]|$)/.test(then) ? then : '/console'
}

// Long: one form, with its request and all of its fields.
export const SignInForm = () => {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const submit = async () => {
    const result = await startSession({ email, password, ...(code !== null && { code }) })
    if (!isRefusal(result)) {
      location.assign(destination())
      return null
    }
    if (result.code !== 'SECOND_FACTOR_REQUIRED') return result
    setCode('')
    return null
  }
  if (code !== null)
    return (
      <DoorForm
        title={texts.codeTitle}
        label={texts.continue}
        submit={submit}
        footer={
          <Button variant="subtle" onClick={() => setCode(null)}>
            {texts.back}
          </Button>
        }
      >
        <CodeField value={code} set={setCode} />
      </DoorForm>
    )
  return (
    <DoorForm
      title={texts.signIn}
      hint={texts.signInHint}
      label={texts.signIn}
      submit={submit}
      footer={
        <Anchor href="/console/reset" size="sm" ta="center">
          {texts.forgot}
        </Anchor>
      }
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
      <PasswordInput
        label={texts.password}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </DoorForm>
  )
}
