import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { SessionRefusal } from '../client/session.ts'
import { texts } from '../texts/shell-texts.ts'

/** A form for people who are not signed in: its fields, one button, and the error. */
export const DoorForm = (props: {
  title: string
  hint?: string
  label: string
  /** Returns null on success, or the reason for a refusal. */
  submit: () => Promise<SessionRefusal | null>
  children: ReactNode
  footer?: ReactNode
}) => {
  const { title, hint, label, submit, children, footer } = props
  const [refusal, setRefusal] = useState<SessionRefusal | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  useDocumentTitle(`${title} · Tessera`)
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        setIsBusy(true)
        setRefusal(await submit())
        setIsBusy(false)
      }}
    >
      <Stack gap="md">
        <div>
          <Title order={1} size="h3">
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {children}
        {refusal && (
          <Alert color="red" role="alert">
            {refusal.message}
            {refusal.requestId && <Text size="xs">{texts.requestId(refusal.requestId)}</Text>}
          </Alert>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          {label}
        </Button>
        {footer}
      </Stack>
    </form>
  )
}
