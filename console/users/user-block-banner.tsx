import { Alert, Group, Text } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import type { UserQuery } from '../generated/types.ts'
import { unblockUser } from '../generated/user.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { timeText } from '../parts/formats.ts'
import { IconAlertTriangle } from '../parts/icons.ts'
import { usersTexts as texts } from '../texts/users-texts.ts'

/** Says that a user is blocked, why and until when, and unblocks the user. */
export const UserBlockBanner = (props: {
  userId: string
  of: NonNullable<UserQuery['user']>['block']
}) => {
  const { userId, of: block } = props
  const change = useChange(unblockUser)
  if (!block) return null
  const { reason, note, blockedAt, until } = block
  return (
    <Alert
      color="red"
      mb="md"
      role="note"
      icon={<IconAlertTriangle aria-hidden />}
      title={reason ? texts.blockedFor(texts.blockReasons[reason].label) : texts.blocked}
    >
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm">{texts.blockedSince(timeText(blockedAt), until && timeText(until))}</Text>
          {note && <Text size="sm">{note}</Text>}
        </div>
        <ActionButton
          right="POINTS_ADJUST"
          label={texts.unblock}
          act={() => change.mutateAsync({ input: { user: { id: userId } } })}
          done={texts.unblocked}
        />
      </Group>
    </Alert>
  )
}
