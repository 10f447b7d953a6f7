import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ChangeError } from '../client/change.ts'
import { RequestError } from '../client/request.ts'
import { texts } from '../texts/shell-texts.ts'

/** What is wrong with each part of the input says more than that the input is wrong. */
const messagesOf = (error: Error) =>
  error instanceof ChangeError && error.fields.length > 0
    ? [...new Set(error.fields.map(({ message }) => message))]
    : [error.message]

/** What went wrong, with the id of the request. */
export const RefusalText = ({ error }: { error: RequestError }) => (
  <>
    {error.message}
    {error.requestId && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {texts.requestId(error.requestId)}
      </Text>
    )}
  </>
)

/** Says what went wrong, in words, with the id by which the operator finds the request. */
export const RefusalNotice = (props: { error: Error; onRetry?: () => void }) => {
  const { error, onRetry } = props
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
        {requestId && <Code>{texts.requestId(requestId)}</Code>}
      </Group>
    </Alert>
  )
}
