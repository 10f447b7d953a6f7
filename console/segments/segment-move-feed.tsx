import { Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../client/live.ts'
import { segmentChanges } from '../generated/segment.ts'
import type { SegmentChangesSubscription } from '../generated/types.ts'
import { Panel } from '../parts/panel.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'

type Move = SegmentChangesSubscription['segmentChanges']

const maxShown = 20

/** Users who enter or leave a segment, newest first. Each move refetches the list. */
export const SegmentMoveFeed = ({ segmentId }: { segmentId: string }) => {
  const [moves, setMoves] = useState<readonly Move[]>([])
  const queries = useQueryClient()
  useLive(segmentChanges, { by: { id: segmentId } }, ({ segmentChanges: move }) => {
    setMoves((before) => [move, ...before].slice(0, maxShown))
    queries.invalidateQueries()
  })
  return (
    <Panel title={texts.moves} hint={texts.movesHint}>
      {moves.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noMoves}
        </Text>
      ) : (
        <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {moves.map(({ position, kind, changedAt, user }) => (
            <Group key={position} component="li" justify="space-between" gap="xs">
              <div>
                <UserLink of={user} />
              </div>
              <Text size="xs" c="dimmed">
                {texts.moveNames[kind]} <RelativeTime at={changedAt} />
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
