/** Audit log entries for changes without a caller, such as commands of the server. */
import { v7 as uuid } from 'uuid'
import { inTransaction, type Tx } from '../database/db.ts'
import type { Work } from '../runtime.ts'
import { insertAuditEntries, noteChanges } from './audit-entry.sql.ts'
import type { AuditTarget } from './audited.ts'

type Change<T> = {
  /** The name of the equivalent mutation. */
  action: string
  run(work: Work & { tx: Tx }): Promise<T>
  targetOf(result: T): AuditTarget & { partnerId: string }
}

/** Makes a change and writes its entry in one transaction, that of the caller if there is one. */
export const auditedBySystem = <T>(work: Work, { action, run, targetOf }: Change<T>): Promise<T> =>
  inTransaction(work, async (here) => {
    await noteChanges(here.tx, null)
    const result = await run(here)
    const { partnerId, environment, type, id } = targetOf(result)
    const entry = { id: uuid(), partnerId, environment, at: work.clock(), action }
    const system = { actorKind: 'SYSTEM', address: '', requestId: '' } as const
    await insertAuditEntries(here.tx, [{ ...entry, ...system, targetType: type, targetId: id }])
    return result
  })
