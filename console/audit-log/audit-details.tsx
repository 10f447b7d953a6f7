import { Code, Drawer, Stack, Text } from '@mantine/core'
import { Facts } from '../parts/facts.tsx'
import { timeText } from '../parts/formats.ts'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import type { AuditRow } from './audit-row.ts'

const shown = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1)

const EntryFacts = ({ of }: { of: AuditRow }) => (
  <Facts
    of={[
      [texts.time, timeText(of.occurredAt)],
      [texts.who, of.actorName],
      [texts.thing, of.targetType],
      [texts.address, of.address],
      [texts.userAgent, of.userAgent],
      [texts.refused, of.refusal],
      [texts.request, of.requestId],
    ]}
  />
)

/** A value of a field. Null before the object is created and after it is deleted. */
const Value = ({ label, of }: { label: string; of: unknown }) =>
  of !== null && (
    <>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Code block>{shown(of)}</Code>
    </>
  )

/** One entry of the audit log: its origin, and each field before and after. */
export const AuditDetails = (props: { of: AuditRow | null; onClose: () => void }) => {
  const { of, onClose } = props
  return (
    <Drawer opened={of !== null} onClose={onClose} position="right" title={of?.action} size="lg">
      {of && (
        <Stack>
          <EntryFacts of={of} />
          {of.changes.map(({ field, from, to }) => (
            <div key={field}>
              <Text size="sm" fw={600}>
                {field}
              </Text>
              <Value label={texts.from} of={from} />
              <Value label={texts.to} of={to} />
            </div>
          ))}
        </Stack>
      )}
    </Drawer>
  )
}
