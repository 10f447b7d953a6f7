/** Exports: started, cancelled and deleted by callers, written by a job. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { ExportFormat, ExportKind, ExportStatus } from '../generated/prisma/enums.ts'
import { toStore } from '../journeys/stored-filter.ts'
import type { Right } from '../kit/access/rights.ts'
import { inTransaction } from '../kit/database/db.ts'
import { lockName, notifyNodes } from '../kit/database/session.sql.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'
import { checkFilter, ExportFilter, savedExportFilterOf } from './export-filter.ts'

export const StartExport = z
  .object({
    kind: oneOf('ExportKind', ExportKind).describe('What it has the rows of.'),
    format: oneOf('ExportFormat', ExportFormat).describe('The format of the file.'),
    filter: ExportFilter.nullish().describe('Which rows; all when left out.'),
  })
  .describe('An export to start.')

/** The right that the list of a kind requires, besides EXPORT. */
export const rightOfKind = (kind: ExportKind): Right =>
  kind === 'AUDIT_LOG' ? 'AUDIT_READ' : 'EXPORT'

/** The maximum number of exports of an environment that are queued or running. */
export const maxOpenExports = 5

export const exportRetentionMs = 24 * 3_600_000

const open = { in: [ExportStatus.QUEUED, ExportStatus.RUNNING] }

/** The pub/sub topic for changes of exports. The payload is the id. */
export const exportTopic = 'export'

/**
 * Starts an export. A job writes the file.
 * @throws TesseraError CODE_BATCH_NOT_FOUND, CAMPAIGN_NOT_FOUND, USER_NOT_FOUND, SEGMENT_NOT_FOUND, EXPORT_LIMIT_REACHED;
 * VALIDATION_FAILED for a filter that does not belong to the kind
 */
export const startExport = async (
  runtime: Work & Pick<Runtime, 'read'>,
  {
    kind,
    format,
    filter,
    memberId,
    apiKeyId,
    ...tenant
  }: Tenant & Actor & z.output<typeof StartExport>,
): Promise<DataExport> => {
  checkFilter(kind, filter)
  const kept = await savedExportFilterOf(runtime, tenant, filter)
  return inTransaction(runtime, async ({ tx, clock }) => {
    const { codeBatch, dataExport } = ofTenant(tx, tenant)
    const codeBatchId = filter?.codeBatchId ?? null
    if (codeBatchId && !(await codeBatch.findFirst({ where: { id: codeBatchId } })))
      throw new TesseraError('CODE_BATCH_NOT_FOUND')
    const users = filter?.users ? (await toStore({ tx }, tenant, filter.users)).stored : null
    await lockName(tx, `exports ${tenant.partnerId} ${tenant.environment}`)
    const current = await dataExport.count({ where: { status: open } })
    if (current >= maxOpenExports)
      throw new TesseraError('EXPORT_LIMIT_REACHED', { limit: maxOpenExports, current })
    return dataExport.create({
      data: {
        id: uuid(),
        kind,
        format,
        codeBatchId,
        ...(kept && { filter: kept }),
        ...(users && {
          userFilter: users.filter,
          hasSegment: users.hasSegment,
          segmentId: users.segmentId,
        }),
        memberId,
        apiKeyId,
        createdFrom: filter?.createdAt?.from ?? null,
        createdTo: filter?.createdAt?.to ?? null,
        createdAt: clock(),
      },
    })
  })
}

type ExportKey = Tenant & { exportId: string }

export const findExport = (
  { tx }: Pick<Work, 'tx'>,
  { exportId: id, ...tenant }: ExportKey,
): Promise<DataExport | null> => ofTenant(tx, tenant).dataExport.findFirst({ where: { id } })

/**
 * Cancels an export, and deletes the parts of its file.
 * @throws TesseraError EXPORT_NOT_FOUND, EXPORT_ENDED
 */
export const cancelExport = (work: Work, key: ExportKey): Promise<DataExport> =>
  inTransaction(work, async (txWork) => {
    const { tx, clock } = txWork
    const id = key.exportId
    const { count } = await ofTenant(tx, key).dataExport.updateMany({
      where: { id, status: open },
      data: { status: 'CANCELLED', finishedAt: clock() },
    })
    const found = await findExport(txWork, key)
    if (!found) throw new TesseraError('EXPORT_NOT_FOUND')
    if (count === 0)
      throw new TesseraError('EXPORT_ENDED', { status: found.status, since: found.finishedAt })
    await tx.exportChunk.deleteMany({ where: { exportId: id } })
    await notifyNodes(tx, `${exportTopic}:${id}`)
    return found
  })

/**
 * Deletes an export with its file, whatever its status, and returns it. One that is being written ends.
 * @throws TesseraError EXPORT_NOT_FOUND
 */
export const deleteExport = (
  work: Work,
  { exportId: id, ...tenant }: ExportKey,
): Promise<DataExport> =>
  inTransaction(work, async ({ tx }) => {
    const own = ofTenant(tx, tenant).dataExport
    const found = await own.findFirst({ where: { id } })
    const { count } = await own.deleteMany({ where: { id } })
    if (!found || count === 0) throw new TesseraError('EXPORT_NOT_FOUND')
    await notifyNodes(tx, `${exportTopic}:${id}`)
    return found
  })

/** The current status. A file past `expiresAt` is EXPIRED, even if the job has not deleted it yet. */
export const exportStatusOf = ({ status, expiresAt }: DataExport, now: Date): ExportStatus =>
  status === 'COMPLETED' && expiresAt && expiresAt <= now ? 'EXPIRED' : status
