/** Entries of the audit log: who did what, written with the change. */
import { v7 as uuid } from 'uuid'
import type { Environment } from '../../generated/prisma/enums.ts'
import { inTransaction, retrying } from '../database/db.ts'
import { noteWrite } from '../database/outage.ts'
import { runtimeIn } from '../runtime.ts'
import { insertAuditEntries, type NewAuditEntry, noteChanges } from './audit-entry.sql.ts'
import type { Caller, Context } from './context.ts'

/** The target of an entry. */
export type AuditTarget = {
  type: string
  /** Null for the settings of an environment. */
  id: string | null
  /** The owner; omitted if it is the caller. */
  partnerId?: string | null
  environment: Environment | null
}

const maxUserAgent = 500

/** The fields of an entry that describe its request. */
export const requestOf = ({ clock, ip, header, requestId }: Context) => ({
  id: uuid(),
  at: clock(),
  address: ip,
  userAgent: header?.('user-agent')?.slice(0, maxUserAgent) ?? null,
  requestId,
})

/** The actor, and the owner of the log. A member who signs in is not a caller yet, but the target. */
const actorOf = (caller: Caller | null, target: AuditTarget | null) => {
  const owner = target?.type === 'Partner' ? target.id : target?.partnerId
  if (!caller) {
    if (!owner) throw new Error('an audited mutation for anyone must return its member')
    return { partnerId: owner, actorKind: 'MEMBER', actorId: target?.id } as const
  }
  const { partnerId } = caller
  if (caller.kind !== 'member')
    return { partnerId, actorKind: 'KEY', actorId: caller.keyId } as const
  const actorId = caller.memberId
  return owner && owner !== partnerId && caller.isOperator
    ? ({ partnerId: owner, actorKind: 'OPERATOR', actorId } as const)
    : ({ partnerId, actorKind: 'MEMBER', actorId } as const)
}

/** The actor, for triggers. */
const callerIds = (caller: Caller | null) =>
  caller && (caller.kind === 'member' ? { memberId: caller.memberId } : { apiKeyId: caller.keyId })

type Audited<T> = {
  /** The name of the mutation. */
  action: string
  caller: Caller | null
  /** Gets the context of the transaction. Nothing in it may use another one. */
  run(ctx: Context): Promise<T>
  targetOf(result: T): AuditTarget | null
}

/**
 * Runs a change and writes its audit entry in one transaction: there is never one without the other. When the
 * database aborts the transaction because of a concurrent one, it is retried.
 */
export const audited = async <T>(
  ctx: Context,
  { action, caller, run, targetOf }: Audited<T>,
): Promise<T> => {
  const result = await retrying(() =>
    inTransaction(ctx, async (here) => {
      await noteChanges(here.tx, callerIds(caller))
      const result = await run(runtimeIn(here))
      const target = targetOf(result)
      const entry: NewAuditEntry = {
        ...requestOf(ctx),
        ...actorOf(caller, target),
        action,
        environment: target?.environment,
        targetType: target?.type,
        targetId: target?.id,
      }
      await insertAuditEntries(here.tx, [entry])
      return result
    }),
  )
  noteWrite()
  return result
}
