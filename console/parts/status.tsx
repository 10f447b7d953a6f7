import { Badge } from '@mantine/core'
import { humanized } from './formats.ts'

const colors: Record<string, string> = {
  ALIVE: 'green',
  FROZEN: 'blue',
  BROKEN: 'red',
  ACTIVE: 'green',
  APPROVED: 'green',
  ENGAGED: 'teal',
  POWER_USER: 'grape',
  NEW: 'blue',
  WAITING: 'blue',
  IN_PROGRESS: 'blue',
  AT_RISK: 'yellow',
  PUBLISHED: 'green',
  COMPLETED: 'green',
  DELIVERED: 'green',
  SUCCEEDED: 'green',
  WON: 'green',
  CLAIMED: 'green',
  ISSUED: 'green',
  FULFILLED: 'green',
  QUEUED: 'blue',
  RUNNING: 'blue',
  OPEN: 'blue',
  READY: 'blue',
  AVAILABLE: 'blue',
  LIVE: 'blue',
  SCHEDULED: 'blue',
  UPCOMING: 'blue',
  DRAWING: 'blue',
  REDEEMABLE: 'green',
  FIRES: 'green',
  MAY_FIRE: 'blue',
  CLOSED: 'yellow',
  HELD: 'yellow',
  PENDING: 'yellow',
  PENDING_REVIEW: 'yellow',
  PAUSED: 'yellow',
  DRAFT: 'gray',
  FAILED: 'red',
  REJECTED: 'red',
  SUSPENDED: 'red',
  REVOKED: 'red',
  DISABLED: 'red',
}

/** A status in its color. `label` is its text, if it does not follow from its name. */
export const Status = ({ of, label }: { of: string; label?: string }) => (
  <Badge color={colors[of] ?? 'gray'}>{label ?? humanized(of)}</Badge>
)
