import { Group, Text, Tooltip } from '@mantine/core'
import type { EndpointFragment } from '../generated/types.ts'
import { agoText } from '../parts/formats.ts'
import { Status } from '../parts/status.tsx'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'

/** Whether events are sent, and whether they arrive. */
export const EndpointStatus = ({ of }: { of: EndpointFragment }) => {
  const { status, disabledMessage, failingSince } = of
  return (
    <Group gap={6}>
      <Tooltip label={disabledMessage} disabled={disabledMessage === null}>
        <div>
          <Status of={status} />
        </div>
      </Tooltip>
      {status === 'ACTIVE' && failingSince && (
        <Text size="xs" c="red">
          {texts.failingSince(agoText(failingSince))}
        </Text>
      )}
    </Group>
  )
}
