/** Exports of events, of their deliveries, and of the audit log. */

import { AuditFilter, logOf, whereOf } from '../accounts/audit-log/audit-log.ts'
import type { AuditEntry, DataExport } from '../generated/prisma/client.ts'
import type { Db } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { filterOf, isAmong, isOfNames } from './export-filter.ts'
import { type ExportPlace, pageRows, placeOf, type Source } from './export-page.ts'

/** The condition for the rows after a place, in the order of a moment and of ids. */
const afterMoment = (field: 'at' | 'createdAt', place: ExportPlace | null) => {
  if (!place) return {}
  const at = new Date(String(place[0]))
  return { [field]: { gte: at }, OR: [{ [field]: { gt: at } }, { id: { gt: String(place[1]) } }] }
}

export const eventSource: Source = {
  columns: ['id', 'name', 'occurredAt', 'data'],
  read: async (db, requested, place) => {
    const { eventNames } = filterOf(requested)
    const found = await ofTenant(db, requested).event.findMany({
      where: place ? { position: { gt: BigInt(place[0] ?? 0) } } : {},
      orderBy: { position: 'asc' },
      take: pageRows,
    })
    const rows = found.map(({ id, type, occurredAt, data }) => ({
      at: occurredAt,
      isWanted: isOfNames(eventNames, type),
      row: { id, name: type, occurredAt, data },
    }))
    return { rows, place: placeOf(found, ({ position }) => [String(position)]) }
  },
}

export const deliverySource: Source = {
  columns: [
    'id',
    'endpointId',
    'eventId',
    'eventType',
    'status',
    'attempts',
    'responseStatus',
    'createdAt',
    'finishedAt',
  ],
  read: async (db, requested, place) => {
    const { webhookEndpointId, deliveryStatuses, eventNames } = filterOf(requested)
    const found = await ofTenant(db, requested).webhookDelivery.findMany({
      where: { endpoint: { deletedAt: null }, ...afterMoment('createdAt', place) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: pageRows,
    })
    const rows = found.map((delivery) => {
      const { id, endpointId, eventId, eventType, status, attempts, responseStatus } = delivery
      const { createdAt, finishedAt } = delivery
      return {
        at: createdAt,
        isWanted:
          (webhookEndpointId === undefined || webhookEndpointId === endpointId) &&
          isAmong(deliveryStatuses, status) &&
          isOfNames(eventNames, eventType),
        row: {
          id,
          endpointId,
          eventId,
          eventType,
          status,
          attempts,
          responseStatus,
          createdAt,
          finishedAt,
        },
      }
    })
    return { rows, place: placeOf(found, (last) => [last.createdAt.toISOString(), last.id]) }
  },
}

/** Those of a page that the list of the audit log would show with the filter of the export; null if it has none. */
const wantedEntries = async (
  db: Db,
  requested: DataExport,
  entries: AuditEntry[],
): Promise<Set<string> | null> => {
  const { auditLog } = filterOf(requested)
  if (!auditLog) return null
  const filter = AuditFilter.parse(auditLog)
  const isOfPartner = filter.actorId != null && { actorKind: { not: 'OPERATOR' as const } }
  const ids = entries.map(({ id }) => id)
  const found = await db.auditEntry.findMany({
    where: { id: { in: ids }, ...whereOf(filter), ...isOfPartner },
    select: { id: true },
  })
  return new Set(found.map(({ id }) => id))
}

/** Entries as members see them: an operator stays anonymous. */
export const auditSource: Source = {
  columns: [
    'id',
    'occurredAt',
    'environment',
    'actorKind',
    'actorName',
    'address',
    'userAgent',
    'requestId',
    'action',
    'refusal',
    'targetType',
    'targetId',
    'targetName',
    'targetVersion',
    'changes',
  ],
  read: async (db, requested, place) => {
    const { OR: environments, ...log } = logOf(requested)
    const found = await db.auditEntry.findMany({
      where: { ...log, AND: { OR: environments }, ...afterMoment('at', place) },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      take: pageRows,
    })
    const wanted = await wantedEntries(db, requested, found)
    const rows = found.map((entry) => {
      const isHidden = entry.actorKind === 'OPERATOR'
      const { id, at, environment, actorKind, requestId, action, refusal, changes } = entry
      const { targetType, targetId, targetName, targetVersion } = entry
      return {
        at,
        isWanted: wanted?.has(id) ?? true,
        row: {
          id,
          occurredAt: at,
          environment,
          actorKind,
          actorName: isHidden ? null : entry.actorName,
          address: isHidden ? null : entry.address || null,
          userAgent: isHidden ? null : entry.userAgent,
          requestId: requestId || null,
          action,
          refusal,
          targetType,
          targetId: targetType && targetId && encodeNodeId(targetType, targetId),
          targetName,
          targetVersion,
          changes,
        },
      }
    })
    return { rows, place: placeOf(found, (last) => [last.at.toISOString(), last.id]) }
  },
}
