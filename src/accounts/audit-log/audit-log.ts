/** Who may see which entries of the audit log. */
import { z } from 'zod'
import type { AuditEntry, Prisma } from '../../generated/prisma/client.ts'
import type { MemberCaller } from '../../kit/access/context.ts'
import { inTransaction } from '../../kit/database/db.ts'
import type { DeleteOld } from '../../kit/database/old-rows.sql.ts'
import { anyNodeId, nodeId } from '../../kit/node-id.ts'
import { equal, Period, within } from '../../kit/schema/filters.ts'
import { flag, text } from '../../kit/validation.ts'
import { allowForgetting, deleteEntries } from './audit-log.sql.ts'

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

/** The database refuses to delete entries, unless the transaction asks for it. */
export const deleteOldEntries: DeleteOld = (db, before, most) =>
  inTransaction({ tx: db }, async ({ tx }) => {
    await allowForgetting(tx)
    return deleteEntries(tx, before, most)
  })
