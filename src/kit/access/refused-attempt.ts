/** Refused attempts to use the account of a member, in the audit log. */

import type { TesseraError } from '../errors.ts'
import { insertAuditEntries } from './audit-entry.sql.ts'
import { requestOf } from './audited.ts'
import { type Context, isGoodCaller } from './context.ts'

type Account = { id: string; partnerId: string }

const accounts = new WeakMap<TesseraError, readonly Account[]>()

/** Marks an error as a refused attempt on these members. Their partners see it in the audit log. */
export const refusedAttempt = (members: readonly Account[], error: TesseraError): TesseraError => {
  accounts.set(error, members)
  return error
}

/** An attempt by somebody who has signed in to the same partner has an actor. */
const attemptBy = ({ callers: { member } }: Context, { partnerId }: Account) =>
  isGoodCaller(member) && member.kind === 'member' && member.partnerId === partnerId
    ? ({ actorKind: 'MEMBER', actorId: member.memberId } as const)
    : ({ actorKind: 'UNKNOWN' } as const)

/**
 * Writes an entry for each member whose account a refused mutation targeted. The answer does not wait for it, because
 * the delay would reveal whether the member exists.
 */
export const recordRefusedAttempt = (ctx: Context, action: string, error: TesseraError): void => {
  const members = accounts.get(error) ?? []
  if (members.length === 0) return
  const entries = members.map((member) => ({
    ...requestOf(ctx),
    ...attemptBy(ctx, member),
    partnerId: member.partnerId,
    action,
    refusal: error.code,
    targetType: 'Member',
    targetId: member.id,
  }))
  insertAuditEntries(ctx.db, entries).catch((err: unknown) => {
    ctx.log.warn({ err, requestId: ctx.requestId }, 'a refused attempt is not in the audit log')
  })
}
