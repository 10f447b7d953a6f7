import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { SessionRefusal } from '../client/session.ts'
import { sentenceOf, sentenceOfCode } from '../parts/faults.ts'
import { texts } from '../texts/shell-texts.ts'
import { DoorFaults } from './door-faults.ts'

/** A form for people who are not signed in: its fields, one button, and the error. */
export const DoorForm = (props: {
  title: string
  hint?: string
  label: string
  /** Returns null on success, or the reason for a refusal. */
  submit: () => Promise<SessionRefusal | null>
  /** The labels of its fields, by their names in the input. Their faults are shown beside them. */
  labels?: Readonly<Record<string, string>>
  children: ReactNode
  footer?: ReactNode
}) => {
  const { title, hint, label, submit, labels = {}, children, footer } = props
  const [refusal, setRefusal] = useState<SessionRefusal | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const fields = refusal?.fields ?? []
  const faultOf = (name: string) => {
    const fault = fields.find(({ path }) => path.at(-1) === name)
    return fault ? sentenceOf(fault.message, labels[name] ?? name) : null
  }
  const isShown = fields.length > 0 && fields.every(({ path }) => labels[path.at(-1) ?? ''])
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
        <DoorFaults value={faultOf}>{children}</DoorFaults>
        {refusal && !isShown && (
          <Alert color="red" role="alert">
            {sentenceOfCode(refusal)}
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
