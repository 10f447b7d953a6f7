import {
  Alert,
  Anchor,
  Button,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { isRefusal, type SessionRefusal, signInUrl, startSession } from '../client/session.ts'
import { useViewer } from '../client/viewer.tsx'
import { CodeField } from '../door/code-field.tsx'
import { sentenceOfCode } from '../parts/faults.ts'
import { doorTexts as texts } from '../texts/door-texts.ts'

/** Over every other dialog, but below notifications. */
const zIndex = 300

/** Escape in this dialog does not close the one below it. */
const keepKeys = ({ target }: FocusEvent<HTMLElement>) =>
  target.setAttribute('data-mantine-stop-propagation', 'true')

/** Signs the member in again over the page. Somebody else gets a page of their own. */
// Long: one form, with its request and all of its fields.
export const SignInAgain = ({ onDone }: { onDone: () => void }) => {
  const { member } = useViewer()
  const queries = useQueryClient()
  const [email, setEmail] = useState(member?.email ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<SessionRefusal | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const send = async () => {
    const result = await startSession({ email, password, ...(code !== null && { code }) })
    if (isRefusal(result)) {
      if (result.code !== 'SECOND_FACTOR_REQUIRED') return setRefusal(result)
      setRefusal(null)
      return setCode('')
    }
    if (result.memberId !== member?.id) return location.reload()
    onDone()
    await queries.invalidateQueries()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The form of the page below is a parent in React, though not in the document.
    event.stopPropagation()
    setIsBusy(true)
    await send()
    setIsBusy(false)
  }
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={texts.endedTitle}
      zIndex={zIndex}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} onFocus={keepKeys}>
        <Stack gap="sm">
          <Text size="sm">{texts.endedHint}</Text>
          <TextInput
            label={texts.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={texts.password}
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {code !== null && <CodeField value={code} set={setCode} />}
          {refusal && (
            <Alert color="red" role="alert">
              {sentenceOfCode(refusal)}
            </Alert>
          )}
          <Group justify="space-between" mt="sm">
            <Anchor href={signInUrl()} size="sm">
              {texts.asAnother}
            </Anchor>
            <Button type="submit" loading={isBusy}>
              {texts.signIn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
