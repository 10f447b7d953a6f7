import { Badge } from '@mantine/core'
import { humanized } from './formats.ts'

const colors: Record<string, string> = {
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
  RUNNING: 'blue',
  OPEN: 'blue',
  LIVE: 'blue',
  SCHEDULED: 'blue',
  UPCOMING: 'blue',
  DRAWING: 'blue',
  REDEEMABLE: 'green',
  FIRES: 'green',
  MAY_FIRE: 'blue',
  CLOSED: 'yellow',
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

export const Status = ({ of }: { of: string }) => (
  <Badge color={colors[of] ?? 'gray'}>{humanized(of)}</Badge>
)
