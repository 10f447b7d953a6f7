/** Entries of the audit log: who did what, written with the change. */
import { v7 as uuid } from 'uuid'
import type { Environment } from '../../generated/prisma/enums.ts'
import { inTransaction, retrying, type Tx } from '../database/db.ts'
import { noteWrite } from '../database/outage.ts'
import type { TesseraError } from '../errors.ts'
import { runtimeIn, type Work } from '../runtime.ts'
import { insertAuditEntries, type NewAuditEntry, noteChanges } from './audit-entry.sql.ts'
import { type Caller, type Context, isGoodCaller } from './context.ts'

/** The target of an entry. */
export type AuditTarget = {
  type: string
  /** Null for the settings of an environment. */
  id: string | null
  /** The owner; omitted if it is the caller. */
  partnerId?: string | null
  environment: Environment | null
  /** What it is called; null for the data of users. */
  name?: string | null
  /** The version that the change made, if it counts them. */
  version?: number | null
}

const maxUserAgent = 500

/** The fields of an entry that describe its request. */
const requestOf = ({ clock, ip, header, requestId }: Context) => ({
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
    inTransaction(ctx, async (txWork) => {
      await noteChanges(txWork.tx, callerIds(caller))
      const result = await run(runtimeIn(txWork))
      const target = targetOf(result)
      const entry: NewAuditEntry = {
        ...requestOf(ctx),
        ...actorOf(caller, target),
        action,
        environment: target?.environment,
        targetType: target?.type,
        targetId: target?.id,
        targetName: target?.name,
        targetVersion: target?.version,
      }
      await insertAuditEntries(txWork.tx, [entry])
      return result
    }),
  )
  noteWrite()
  return result
}

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

type Change<T> = {
  /** The name of the equivalent mutation. */
  action: string
  run(work: Work & { tx: Tx }): Promise<T>
  targetOf(result: T): AuditTarget & { partnerId: string }
}

/** Makes a change and writes its entry in one transaction, that of the caller if there is one. */
export const auditedBySystem = <T>(work: Work, { action, run, targetOf }: Change<T>): Promise<T> =>
  inTransaction(work, async (txWork) => {
    await noteChanges(txWork.tx, null)
    const result = await run(txWork)
    const { partnerId, environment, type, id } = targetOf(result)
    const entry = { id: uuid(), partnerId, environment, at: work.clock(), action }
    const system = { actorKind: 'SYSTEM', address: '', requestId: '' } as const
    await insertAuditEntries(txWork.tx, [{ ...entry, ...system, targetType: type, targetId: id }])
    return result
  })
