import { Progress, Stack, Text } from '@mantine/core'
import type { UserBatchRowFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { batchesTexts as texts } from '../texts/batches-texts.ts'

export const isRunning = ({ status }: Pick<UserBatchRowFragment, 'status'>) =>
  status === 'QUEUED' || status === 'RUNNING'

/** How far a batch has come among all users. */
export const BatchProgress = ({ of }: { of: UserBatchRowFragment }) => {
  const percent = Math.round(of.progress * 100)
  return (
    <Stack gap={4} miw={120}>
      <Progress
        value={percent}
        animated={isRunning(of)}
        color={of.status === 'CANCELLED' ? 'gray' : undefined}
        aria-label={texts.progress}
      />
      <Text size="xs" c="dimmed">
        {texts.percent(numberText(percent))}
      </Text>
    </Stack>
  )
}
