import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { lastChange } from '../generated/last-change.ts'
import { conflictTexts as texts } from '../texts/conflict-texts.ts'
import { Differences } from './differences.tsx'
import type { VersionConflict } from './use-versions.ts'
import { RelativeTime } from './when.tsx'

const LastChange = ({ target }: { target: string }) => {
  const { data } = usePage(lastChange, { target })
  const [entry] = data?.auditLog.nodes ?? []
  return (
    entry?.actorName && (
      <Text size="sm" c="dimmed">
        {texts.changedBy(entry.actorName)}, <RelativeTime at={entry.occurredAt} />
      </Text>
    )
  )
}

/** Who changed it, for those who may read the audit log. */
const Author = ({ of }: { of: VersionConflict }) => {
  const mayRead = useMissingRight('AUDIT_READ') === null
  return mayRead && of.targetId ? <LastChange target={of.targetId} /> : null
}

const explanationOf = ({ theirs, isNew }: VersionConflict) => {
  if (theirs === null) return texts.gone
  return isNew ? texts.exists : texts.changed
}

/** Asks what to do when somebody else has changed the same object. It shows both versions and keeps the input. */
export const ConflictDialog = (props: {
  of: VersionConflict | null
  onSave: () => void
  /** Called when the member's own changes are dropped. */
  onLoad?: () => void
}) => {
  const { of, onSave, onLoad } = props
  return (
    <Modal
      opened={of !== null}
      onClose={() => of?.dismiss()}
      title={texts.title}
      size="lg"
      closeOnClickOutside={false}
    >
      {of && (
        <Stack gap="sm">
          <Text size="sm">{explanationOf(of)}</Text>
          <Author of={of} />
          {of.theirs && (
            <Differences
              left={of.theirs}
              leftTitle={texts.theirs}
              right={of.mine}
              rightTitle={texts.yours}
            />
          )}
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => {
                of.load()
                onLoad?.()
              }}
            >
              {of.theirs ? texts.load : texts.discard}
            </Button>
            <Button
              color="red"
              onClick={() => {
                of.overrule()
                onSave()
              }}
            >
              {texts.save}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
