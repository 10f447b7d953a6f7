import { Alert, Text } from '@mantine/core'
import { countText } from '../parts/formats.ts'
import { IconUsers } from '../parts/icons.ts'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import type { ManyUsers } from './many-users.ts'

/** How many users it is done to, and how exact that is. */
export const Preview = ({ of: { count } }: { of: ManyUsers }) => (
  <Alert icon={<IconUsers />} variant="light" color="blue" role="status">
    <Text size="sm" fw={600}>
      {texts.preview(countText(count))}
    </Text>
    <Text size="sm">
      {count.precision === 'AT_LEAST' ? texts.previewAtLeast : texts.previewHint}
    </Text>
  </Alert>
)
