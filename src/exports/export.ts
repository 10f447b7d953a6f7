/** Exports: started, cancelled and deleted by callers, written by a job. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { ExportFormat, ExportKind, ExportStatus } from '../generated/prisma/enums.ts'
import { toStore } from '../journeys/stored-filter.ts'
import { UserFilter } from '../journeys/user-list.ts'
import { inTransaction } from '../kit/database/db.ts'
import { lockName, notifyNodes } from '../kit/database/session.sql.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { Period } from '../kit/schema/filters.ts'
import type { Tenant } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'

const ExportFilter = z
  .object({
    codeBatchId: nodeId('CodeBatch').nullish().describe('The batch; required for CODES alone.'),
    users: UserFilter.nullish().describe(
      'Only users who match; for USERS alone. Days ago are counted from when the export was started.',
    ),
    createdAt: Period.nullish().describe(
      'Only rows of this period: when an entry was posted, a user created, a game played, a code redeemed (or its batch created), a ticket entered, an event happened, a goal completed (in its present round), or a grant made.',
    ),
  })
  .meta({ graphql: 'ExportRowFilter' })
  .describe('Filters the rows of an export.')

export const StartExport = z
  .object({
    kind: oneOf('ExportKind', ExportKind).describe('What it has the rows of.'),
    format: oneOf('ExportFormat', ExportFormat).describe('The format of the file.'),
    filter: ExportFilter.nullish().describe('Which rows; all when left out.'),
  })
  .describe('An export to start.')

/** The maximum number of exports of an environment that are queued or running. */
export const maxOpenExports = 5

export const keptExportMs = 24 * 3_600_000

const open = { in: [ExportStatus.QUEUED, ExportStatus.RUNNING] }

/** The pub/sub topic for changes of exports. The payload is the id. */
export const exportTopic = 'export'

/**
 * Starts an export. A job writes the file.
 * @throws TesseraError CODE_BATCH_NOT_FOUND, EXPORT_LIMIT_REACHED; SEGMENT_NOT_FOUND; VALIDATION_FAILED for CODES without a
 * batch, and for a batch or users with another kind
 */
export const startExport = (
  work: Work,
  {
    kind,
    format,
    filter,
    memberId,
    apiKeyId,
    ...tenant
  }: Tenant & Actor & z.output<typeof StartExport>,
): Promise<DataExport> =>
  inTransaction(work, async ({ tx, clock }) => {
    const { codeBatch, dataExport } = ofTenant(tx, tenant)
    const codeBatchId = filter?.codeBatchId ?? null
    if ((kind === 'CODES') !== (codeBatchId !== null))
      throw refused('filter.codeBatchId', 'is required for CODES, and belongs to nothing else')
    if (codeBatchId && !(await codeBatch.findFirst({ where: { id: codeBatchId } })))
      throw new TesseraError('CODE_BATCH_NOT_FOUND')
    if (filter?.users && kind !== 'USERS')
      throw refused('filter.users', 'belongs to USERS, and to nothing else')
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
  inTransaction(work, async (here) => {
    const { tx, clock } = here
    const id = key.exportId
    const { count } = await ofTenant(tx, key).dataExport.updateMany({
      where: { id, status: open },
      data: { status: 'CANCELLED', finishedAt: clock() },
    })
    const found = await findExport(here, key)
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
