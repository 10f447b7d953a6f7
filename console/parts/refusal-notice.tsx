import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChangeError } from '../client/change.ts'
import { RequestError } from '../client/request.ts'
import { texts } from '../texts/shell-texts.ts'
import { IconAlertTriangle } from './icons.ts'

/** `endsAt must be …` → `Ends at must be …`. A message may begin with the name of its field. */
const readable = (message: string) =>
  message.replace(/^[a-z]+(?:[A-Z][a-z]+)+(?= )/, (name) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return words.charAt(0).toUpperCase() + words.slice(1)
  })

/** Prefers the messages of the parts of the input, which are more specific. */
const messagesOf = (error: Error) => {
  const parts = error instanceof ChangeError ? error.fields : []
  const all = error instanceof RequestError ? [...parts, ...error.parts] : parts
  return all.length > 0
    ? [...new Set(all.map(({ message }) => readable(message)))]
    : [error.message]
}

/** The messages of an error, with the id of the request. */
export const RefusalText = ({ error }: { error: RequestError }) => (
  <>
    {messagesOf(error).map((message) => (
      <div key={message}>{message}</div>
    ))}
    {error.requestId && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {texts.requestId(error.requestId)}
      </Text>
    )}
  </>
)

/** Shows an error with the id by which the operator finds the request. */
export const RefusalNotice = (props: {
  error: Error
  onRetry?: () => void
  /** More actions. */
  children?: ReactNode
}) => {
  const { error, onRetry, children } = props
  const requestId = error instanceof RequestError ? error.requestId : null
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={texts.errorTitle} role="alert" my="sm">
      {messagesOf(error).map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
      <Group mt="xs" gap="sm">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )}
        {children}
        {requestId && <Code>{texts.requestId(requestId)}</Code>}
      </Group>
    </Alert>
  )
}
