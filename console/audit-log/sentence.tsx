import { Badge, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { summaryOf } from '../history/changes.ts'
import { auditLogTexts as texts } from '../texts/audit-log-texts.ts'
import { type AuditRow, actorOf, deedOf, kindOf, objectOf, placeOf } from './audit-row.ts'

/** Changes of something that was there before and still is. Of a new or deleted object, all fields changed. */
const isChange = ({ changes, targetId }: AuditRow) =>
  targetId === null || changes.some(({ from, to }) => from !== null && to !== null)

const Thing = ({ of }: { of: AuditRow }) => {
  const name = objectOf(of)
  const place = placeOf(of)
  if (name === null && !place) return null
  // Without a name, the kind of object is the link.
  const text = name ?? (of.targetType ? kindOf(of.targetType) : '')
  return place ? (
    <PageLink {...place} size="sm" fw={600}>
      {text}
    </PageLink>
  ) : (
    <Text span fw={600} inherit>
      {text}
    </Text>
  )
}

/** An entry as a sentence: who did what to which object, and what changed. */
export const Sentence = ({ of }: { of: AuditRow }) => {
  const summary = isChange(of) ? summaryOf(of.changes) : ''
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <Text span fw={600} inherit>
        {actorOf(of)}
      </Text>{' '}
      {deedOf(of)} {objectOf(of) !== null && <Thing of={of} />}
      {summary && `: ${summary}`}
      {of.refusal && (
        <Badge size="sm" color="red" ml={6}>
          {texts.refused}
        </Badge>
      )}
    </Text>
  )
}

/** The object of an entry, with its kind. */
export const ObjectLink = ({ of }: { of: AuditRow }) =>
  of.targetType && (
    <>
      {objectOf(of) !== null && `${kindOf(of.targetType)} `}
      <Thing of={of} />
    </>
  )
