import { Text, Tooltip } from '@mantine/core'
import { agoText, exactTimeText } from './formats.ts'

/** A time relative to now, with the exact time on demand. */
export const RelativeTime = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <Tooltip label={exactTimeText(at)}>
      <Text component="time" dateTime={at} size="sm" inherit style={{ whiteSpace: 'nowrap' }}>
        {agoText(at)}
      </Text>
    </Tooltip>
  ) : (
    '–'
  )
