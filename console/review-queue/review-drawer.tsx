import { Anchor, Drawer, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { OperatorGameActions } from '../arena-games/operator-game-actions.tsx'
import { PageLink } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { reviewArenaGame } from '../generated/review-queue.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Status } from '../parts/status.tsx'
import { reviewQueueTexts as texts } from '../texts/review-queue-texts.ts'
import type { ReviewRow } from './review-row.ts'

// Long: the dialog and its actions.
const Review = ({ of, onClose }: { of: ReviewRow; onClose: () => void }) => {
  const build = of.newestBuild
  const [reviewNotes, setReviewNotes] = useState(build?.reviewNotes ?? '')
  const change = useChange(reviewArenaGame)
  if (!build) return <Text>{texts.noBuild}</Text>
  const decide = async (verdict: 'APPROVED' | 'REJECTED') => {
    await change.mutateAsync({
      input: {
        arenaGame: { id: of.id },
        buildNumber: build.number,
        verdict,
        ...(reviewNotes && { reviewNotes }),
      },
    })
    onClose()
  }
  return (
    <Stack>
      <Text size="sm">{of.description}</Text>
      {of.rules && (
        <div>
          <Text size="sm" fw={600}>
            {texts.rules}
          </Text>
          <Text size="sm">{of.rules}</Text>
        </div>
      )}
      <Group gap="xs">
        <Text size="sm">
          {texts.build} #{build.number} {build.version}
        </Text>
        {build.verdict && <Status of={build.verdict} />}
        <Anchor href={build.buildUrl} target="_blank" rel="noreferrer noopener" size="sm">
          {texts.open}
        </Anchor>
      </Group>
      <Group gap="xs">
        <OperatorGameActions of={of} />
        <PageLink page="arena-games" id={of.id} size="sm">
          {texts.toGame}
        </PageLink>
      </Group>
      {of.status === 'PENDING_REVIEW' && (
        <>
          <Textarea
            label={texts.notes}
            description={texts.notesHint}
            autosize
            minRows={3}
            value={reviewNotes}
            onChange={({ currentTarget }) => setReviewNotes(currentTarget.value)}
          />
          <Group justify="flex-end">
            <ActionButton
              right="ARENA_OPERATOR"
              label={texts.reject}
              act={() => decide('REJECTED')}
              done={texts.reviewed}
              loading={change.isPending}
              color="red"
              variant="light"
            />
            <ActionButton
              right="ARENA_OPERATOR"
              label={texts.approve}
              act={() => decide('APPROVED')}
              done={texts.reviewed}
              loading={change.isPending}
              color="green"
              variant="filled"
            />
          </Group>
        </>
      )}
      {of.status !== 'PENDING_REVIEW' && build.reviewNotes && (
        <Text size="sm">{build.reviewNotes}</Text>
      )}
    </Stack>
  )
}

/** A game with its newest build, and the decision about it. */
export const ReviewDrawer = (props: { of: ReviewRow | null; onClose: () => void }) => {
  const { of, onClose } = props
  return (
    <Drawer opened={of !== null} onClose={onClose} position="right" size="lg" title={of?.name}>
      {of && <Review key={of.id} of={of} onClose={onClose} />}
    </Drawer>
  )
}
