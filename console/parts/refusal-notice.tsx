import { Alert, Button, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RequestError } from '../client/request.ts'
import { texts } from '../texts/shell-texts.ts'
import { sentencesOf } from './faults.ts'
import { IconAlertTriangle } from './icons.ts'

/** The messages of an error, with the id of the request. */
export const RefusalText = ({ error }: { error: RequestError }) => (
  <>
    {sentencesOf(error).map((message) => (
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
      {sentencesOf(error).map((message) => (
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
