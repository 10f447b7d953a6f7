/** Who may see which entries of the audit log, and for how long they are kept. */
import { z } from 'zod'
import type { MemberCaller } from '../core/context.ts'
import { inTransaction } from '../core/db/db.ts'
import { equal, Period, within } from '../core/graphql/filters.ts'
import type { Job } from '../core/job.ts'
import { anyNodeId, nodeId } from '../core/node-id.ts'
import type { Runtime } from '../core/runtime.ts'
import { flag, text } from '../core/validation.ts'
import type { AuditEntry, Prisma } from '../generated/prisma/client.ts'
import { allowForgetting, deleteOldEntries } from './audit-log.sql.ts'

export const AuditFilter = z
  .object({
    actor: anyNodeId().nullish().describe('Only what this member or API key did.'),
    action: text(100).nullish().describe('Only this mutation: `createApiKey`.'),
    target: anyNodeId().nullish().describe('Only what was done to this object.'),
    period: Period.nullish().describe('Only what was done in this period.'),
    isRefused: flag().nullish().describe('true: only refused attempts; false: only the others.'),
  })
  .describe('Filters the audit log.')

export const AdminAuditFilter = AuditFilter.extend({
  partner: nodeId('Partner').nullish().describe('Only the log of this partner.'),
}).describe('Filters the audit log of all partners.')

/** The conditions of a filter. */
export const whereOf = ({
  actor,
  action,
  target,
  period,
  isRefused,
}: z.output<typeof AuditFilter>): Prisma.AuditEntryWhereInput => ({
  ...equal({ actorId: actor, action, targetId: target }),
  ...within({ at: period }),
  ...(isRefused != null && { refusal: isRefused ? { not: null } : null }),
})

/** The entries that a partner's members see: those of their environment, and those without one. */
export const logOf = ({ partnerId, environment }: MemberCaller) => ({
  partnerId,
  OR: [{ environment }, { environment: null }],
})

/** Whether an entry hides its actor from a member: partners see only that it was an operator. */
export const hidesActor = ({ actorKind }: AuditEntry, { isOperator }: MemberCaller): boolean =>
  actorKind === 'OPERATOR' && !isOperator

const dayMs = 24 * 3_600_000
/** Rows of one transaction. */
const chunk = 5_000

/** Deletes entries that are older than AUDIT_LOG_DAYS. */
const forgetOldEntries = async ({ db, clock, config }: Runtime): Promise<void> => {
  const before = new Date(clock().getTime() - config.auditLogDays * dayMs)
  for (let deleted = chunk; deleted === chunk; )
    deleted = await inTransaction({ tx: db }, async ({ tx }) => {
      await allowForgetting(tx)
      return deleteOldEntries(tx, before, chunk)
    })
}

export const auditJobs: Job[] = [
  { name: 'forget-audit-log', everySeconds: 3600, run: forgetOldEntries },
]
