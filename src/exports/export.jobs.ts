/** Writes the files of exports, page by page. An interrupted export continues after its last page. */
import type { DataExport } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { isUnavailable } from '../kit/database/outage.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import type { Job } from '../kit/jobs/job.ts'
import { onStandby, type Runtime } from '../kit/runtime.ts'
import { exportRetentionMs, exportTopic } from './export.ts'
import type { ExportPlace } from './export-page.ts'
import { exportSources } from './export-source.ts'
import { exportLines, headerOf, partsOf } from './export-text.ts'

/** The number of pages of one export before the next export takes its turn. */
const pagesInTurn = 50
/** A run ends well before it counts as hung. The next run continues. */
const longestRunMs = 600_000

const isWithin = ({ createdFrom, createdTo }: DataExport, at: Date) =>
  (!createdFrom || at >= createdFrom) && (!createdTo || at < createdTo)

/**
 * Where to read the next page: the standby if it has this many parts of the file. Then it has all rows that were written
 * before the export was started, and those of pages that were read from the primary, so that no page goes back.
 */
const sourceOf = async (
  runtime: Runtime,
  requested: DataExport,
  parts: number,
): Promise<Runtime> => {
  const standby = onStandby(runtime)
  if (standby === runtime) return runtime
  const seen = await ofTenant(standby.db, requested).dataExport.findUnique({
    where: { id: requested.id },
    select: { chunks: true },
  })
  return seen && seen.chunks >= parts ? standby : runtime
}

/**
 * Reads a page and writes it, in one transaction with the new position. Returns the export, or null if another node or
 * a cancellation or deletion was faster.
 */
const addPage = async (
  runtime: Runtime,
  source: Runtime,
  current: DataExport,
): Promise<DataExport | null> => {
  const { kind, format, id, chunks } = current
  const { columns, read } = exportSources[kind]
  const page = await read(source.db, current, current.place as ExportPlace | null)
  const wanted = page.rows.filter(({ at, isWanted = true }) => isWanted && isWithin(current, at))
  const header = current.place === null ? headerOf(format, columns) : ''
  const lines = [
    header,
    ...exportLines(
      format,
      wanted.map(({ row }) => row),
    ),
  ]
  const { parts, checksum } = await partsOf(lines, Number(current.checksum))
  const now = runtime.clock()
  const sum = (of: (part: (typeof parts)[number]) => number) =>
    BigInt(parts.reduce((total, part) => total + of(part), 0))
  return inTransaction(runtime, async ({ tx }) => {
    const { dataExport } = ofTenant(tx, current)
    const { count } = await dataExport.updateMany({
      where: { id, chunks, rows: current.rows, status: { in: ['QUEUED', 'RUNNING'] } },
      data: {
        status: 'RUNNING',
        checksum,
        chunks: chunks + parts.length,
        ...(page.place && { place: [...page.place] }),
        rows: current.rows + BigInt(wanted.length),
        bytes: current.bytes + sum(({ data }) => data.length),
        textBytes: current.textBytes + sum(({ textBytes }) => textBytes),
        ...(page.place === null && {
          status: 'COMPLETED',
          finishedAt: now,
          expiresAt: new Date(now.getTime() + exportRetentionMs),
        }),
      },
    })
    if (count === 0) return null
    await tx.exportChunk.createMany({
      data: parts.map(({ data }, n) => ({ exportId: id, chunkNo: chunks + n, data })),
    })
    return dataExport.findUniqueOrThrow({ where: { id } })
  })
}

/** Marks an export as failed and deletes its parts. */
const fail = async ({ db, clock }: Runtime, failed: DataExport): Promise<void> => {
  const { id } = failed
  await ofTenant(db, failed).dataExport.updateMany({
    where: { id, status: { in: ['QUEUED', 'RUNNING'] } },
    data: { status: 'FAILED', finishedAt: clock() },
  })
  await db.exportChunk.deleteMany({ where: { exportId: id } })
}

const takeTurn = async (runtime: Runtime, first: DataExport): Promise<void> => {
  const { id } = first
  let current: DataExport | null = first
  let partsOfPrimary = first.chunks
  try {
    for (let page = 0; page < pagesInTurn && current && !current.finishedAt; page++) {
      const source = await sourceOf(runtime, first, partsOfPrimary)
      current = await addPage(runtime, source, current)
      if (source === runtime && current) partsOfPrimary = current.chunks
      await runtime.pubsub.publish(exportTopic, id)
    }
  } catch (err) {
    if (isUnavailable(err)) throw err
    runtime.log.error({ err, export: id }, 'an export failed')
    await fail(runtime, first)
    await runtime.pubsub.publish(exportTopic, id)
  }
}

/** Writes all queued exports, taking turns. */
export const runExports = async (runtime: Runtime): Promise<void> => {
  const { db } = runtime
  const start = Date.now()
  while (Date.now() - start < longestRunMs) {
    const open = await acrossTenants(db, 'JOB').dataExport.findMany({
      where: { status: { in: ['QUEUED', 'RUNNING'] } },
      orderBy: { id: 'asc' },
      take: 100,
    })
    if (open.length === 0) return
    for (const item of open) await takeTurn(runtime, item)
  }
}

/** Deletes files that have expired. */
export const expireExports = async ({ db, clock }: Runtime): Promise<void> => {
  const past = await acrossTenants(db, 'JOB').dataExport.findMany({
    where: { status: 'COMPLETED', expiresAt: { lte: clock() } },
    select: { id: true, partnerId: true, environment: true },
    take: 1_000,
  })
  for (const { id, ...tenant } of past)
    await inTransaction({ tx: db }, async ({ tx }) => {
      await tx.exportChunk.deleteMany({ where: { exportId: id } })
      // It may have been deleted meanwhile.
      await ofTenant(tx, tenant).dataExport.updateMany({
        where: { id },
        data: { status: 'EXPIRED' },
      })
    })
}

export const exportJobs: Job[] = [
  { name: 'run-exports', everySeconds: 2, run: runExports },
  { name: 'expire-exports', everySeconds: 600, run: expireExports },
]
