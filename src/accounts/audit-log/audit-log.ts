/** Who may see which entries of the audit log. */
import { z } from 'zod'
import type { AuditEntry, Prisma } from '../../generated/prisma/client.ts'
import type { MemberCaller } from '../../kit/access/context.ts'
import { inTransaction } from '../../kit/database/db.ts'
import type { DeleteExpired } from '../../kit/database/expired-rows.sql.ts'
import { anyNodeId } from '../../kit/node-id.ts'
import { among, containing, equal, isEmpty, Period, within } from '../../kit/schema/filters.ts'
import type { Tenant } from '../../kit/tenant.ts'
import { flag, text, title } from '../../kit/validation.ts'
import { PartnerBy } from '../partner.ts'
import { allowForgetting, deleteEntries } from './audit-log.sql.ts'

export const AuditFilter = z
  .object({
    actorId: anyNodeId().nullish().describe('Only what this member or API key did.'),
    action: text(100).nullish().describe('Only this mutation: `createApiKey`.'),
    targetTypes: z
      .array(text(64), { error: 'must be a list of types' })
      .max(50, 'must have at most 50 types')
      .transform((types) => [...new Set(types)].sort())
      .nullish()
      .describe('Only what was done to objects of these types: `RewardRule`.'),
    targetId: anyNodeId().nullish().describe('Only what was done to this object.'),
    search: title(255)
      .nullish()
      .describe('Only what was done to objects whose name contains this; case-insensitive.'),
    occurredAt: Period.nullish().describe('Only what was done in this period.'),
    isRefused: flag().nullish().describe('true: only refused attempts; false: only the others.'),
  })
  .describe('Filters the audit log.')

export const PlatformAuditFilter = AuditFilter.extend({
  partner: PartnerBy.nullish().describe('Only the log of this partner.'),
}).describe('Filters the audit log of all partners.')

/** A condition on the name that an object had then. */
const nameContaining = (search: string | null | undefined): Prisma.AuditEntryWhereInput => {
  const found = containing(search, ['targetName'])
  return isEmpty(found) ? {} : { AND: found }
}

/** The conditions of a filter. */
export const whereOf = ({
  actorId,
  action,
  targetTypes,
  targetId,
  search,
  occurredAt,
  isRefused,
}: z.output<typeof AuditFilter>): Prisma.AuditEntryWhereInput => ({
  ...equal({ actorId, action, targetId }),
  ...among({ targetType: targetTypes }),
  ...within({ at: occurredAt }),
  ...nameContaining(search),
  ...(isRefused != null && { refusal: isRefused ? { not: null } : null }),
})

/** The entries that a partner's members see: those of their environment, and those without one. */
export const logOf = ({ partnerId, environment }: Tenant) => ({
  partnerId,
  OR: [{ environment }, { environment: null }],
})

/** Whether an entry hides its actor from a member: partners see only that it was an operator. */
export const hidesActor = ({ actorKind }: AuditEntry, { isOperator }: MemberCaller): boolean =>
  actorKind === 'OPERATOR' && !isOperator

/** The database refuses to delete entries, unless the transaction asks for it. */
export const deleteExpiredEntries: DeleteExpired = (db, before, most) =>
  inTransaction({ tx: db }, async ({ tx }) => {
    await allowForgetting(tx)
    return deleteEntries(tx, before, most)
  })
