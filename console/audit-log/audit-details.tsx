import { Drawer, Group, Stack } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { linesOf, sidesOf } from '../history/changes.ts'
import { RestoreButton } from '../history/restore.tsx'
import { Differences } from '../parts/differences.tsx'
import { Facts } from '../parts/facts.tsx'
import { humanized, timeText } from '../parts/formats.ts'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import { historyTexts } from '../texts/history-texts.ts'
import { type AuditRow, actorOf, keptOf } from './audit-row.ts'
import { ObjectLink, Sentence } from './sentence.tsx'

const EntryFacts = ({ of }: { of: AuditRow }) => (
  <Facts
    of={[
      [texts.time, timeText(of.occurredAt)],
      [texts.who, actorOf(of)],
      [texts.thing, <ObjectLink key="thing" of={of} />],
      [texts.version, of.targetVersion],
      [texts.environment, of.environment && humanized(of.environment)],
      [texts.address, of.address],
      [texts.userAgent, of.userAgent],
      [texts.refused, of.refusal && humanized(of.refusal)],
      [texts.request, of.requestId],
    ]}
  />
)

/** Undoes the change of an entry, where there is something to restore. */
export const UndoButton = ({ of }: { of: AuditRow }) => {
  const kept = keptOf(of)
  if (!kept || !of.undoes || of.targetVersion === null) return null
  return <RestoreButton of={kept} restorable={of.undoes} undone={of.targetVersion} />
}

/** Lists of the entries that share an object or an author with this one. */
const SameLinks = ({ of: { targetId, actor, actorName } }: { of: AuditRow }) => (
  <Group gap="md">
    {targetId && (
      <PageLink page="audit-log" search={{ target: targetId }} size="sm">
        {texts.allOf}
      </PageLink>
    )}
    {actor && actorName && (
      <PageLink page="audit-log" search={{ person: actor.id }} size="sm">
        {texts.allBy(actorName)}
      </PageLink>
    )}
  </Group>
)

/** One entry of the audit log: its sentence and origin, and each field before and after. */
export const AuditDetails = (props: { of: AuditRow | null; onClose: () => void }) => {
  const { of, onClose } = props
  const { from, to } = sidesOf(linesOf(of?.changes ?? []))
  return (
    <Drawer opened={of !== null} onClose={onClose} position="right" title={texts.details} size="lg">
      {of && (
        <Stack>
          <Sentence of={of} />
          <Group>
            <UndoButton of={of} />
          </Group>
          {from.length > 0 && (
            <Differences
              left={from}
              leftTitle={historyTexts.before}
              right={to}
              rightTitle={historyTexts.after}
            />
          )}
          <EntryFacts of={of} />
          <SameLinks of={of} />
        </Stack>
      )}
    </Drawer>
  )
}
