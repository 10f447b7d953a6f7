/** Serves the files of exports by signed links. */

import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { rightsOfKey } from '../accounts/key-authentication.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { type Right, rightsOfRole } from '../kit/access/rights.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { acceptsEncoding, type Parts } from '../kit/http/http-parts.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { isTokenOf, type MasterKey, macOf } from '../kit/security/seal.ts'
import { isUuid } from '../kit/validation.ts'
import { exportStatusOf, rightOfKind } from './export.ts'
import { fileNameOf } from './export-name.rules.ts'
import { byteOrderMark, gzipBytes, gzipOf, textOfPart } from './export-text.ts'

/**
 * Whether the partner of each export is open, and the key or member that started it could still start one. So a leaked link
 * ends with the access of who made it.
 */
const mayStillExport = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  exports: DataExport[],
): Promise<boolean[]> => {
  const idsOf = (column: 'memberId' | 'apiKeyId') => exports.flatMap((item) => item[column] ?? [])
  const [partners, members, keys] = await Promise.all([
    tx.partner.findMany({
      where: { id: { in: exports.map(({ partnerId }) => partnerId) }, closedAt: null },
    }),
    tx.member.findMany({ where: { id: { in: idsOf('memberId') } } }),
    acrossTenants(tx, 'IDS').apiKey.findMany({
      where: {
        id: { in: idsOf('apiKeyId') },
        revokedAt: null,
        application: { status: 'ACTIVE' },
        OR: [{ expiresAt: null }, { expiresAt: { gt: clock() } }],
      },
    }),
  ])
  const open = new Set(partners.map(({ id }) => id))
  const rightsOf = new Map<string, readonly Right[]>([
    ...members.map(({ id, role }) => [id, rightsOfRole[role]] as const),
    ...keys.map((key) => [key.id, rightsOfKey(key)] as const),
  ])
  return exports.map(({ partnerId, memberId, apiKeyId, kind }) => {
    const rights = rightsOf.get(memberId ?? apiKeyId ?? '') ?? []
    return open.has(partnerId) && rights.includes('EXPORT') && rights.includes(rightOfKind(kind))
  })
}

const signatureOf = (id: string, expires: number) => (key: MasterKey) =>
  macOf(key.text, 'export link', `${id} ${expires}`).toString('hex')

/** The link to the file; null unless it can be downloaded. The link needs no key. */
export const linkOf = async (
  { config, keys, clock, read }: Pick<Runtime, 'config' | 'keys' | 'clock' | 'read'>,
  found: DataExport,
): Promise<string | null> => {
  const { id, expiresAt } = found
  if (exportStatusOf(found, clock()) !== 'COMPLETED' || !expiresAt) return null
  if (!(await read(mayStillExport, found))) return null
  const expires = Math.floor(expiresAt.getTime() / 1000)
  const signature = signatureOf(id, expires)(keys.master[0])
  return `${config.publicUrl}/v1/exports/${id}?expires=${expires}&signature=${signature}`
}

/**
 * The export that a link leads to. Nothing is cached: a link ends at once on every node.
 * @throws TesseraError EXPORT_LINK_INVALID, EXPORT_LINK_EXPIRED, EXPORT_LINK_REVOKED
 */
const followLink = async (
  runtime: Pick<Runtime, 'db' | 'tx' | 'keys' | 'clock'>,
  { id, expires, signature }: { id: string; expires: unknown; signature: unknown },
): Promise<DataExport> => {
  const { db, keys, clock } = runtime
  const isSigned =
    typeof signature === 'string' &&
    isTokenOf(keys.master, signature, signatureOf(id, Number(expires)))
  if (!isSigned) throw new TesseraError('EXPORT_LINK_INVALID')
  const found = await acrossTenants(db, 'CREDENTIAL').dataExport.findUnique({ where: { id } })
  if (!found || exportStatusOf(found, clock()) !== 'COMPLETED')
    throw new TesseraError('EXPORT_LINK_EXPIRED')
  const [isAllowed] = await mayStillExport(runtime, [found])
  if (!isAllowed) throw new TesseraError('EXPORT_LINK_REVOKED')
  return found
}

/** The parts of a file, one in memory at a time. */
async function* partsOf({ db }: Runtime, { id, chunks }: DataExport): AsyncGenerator<Uint8Array> {
  for (let chunkNo = 0; chunkNo < chunks; chunkNo++) {
    const where = { exportId_chunkNo: { exportId: id, chunkNo } }
    yield (await db.exportChunk.findUniqueOrThrow({ where })).data
  }
}

async function* textsOf(
  parts: AsyncIterable<Uint8Array>,
  start: Uint8Array,
): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  for await (const part of parts) yield textOfPart(part)
}

const types = { CSV: 'text/csv; charset=utf-8', JSONL: 'application/x-ndjson; charset=utf-8' }

export const mountExports = (
  app: FastifyInstance,
  { runtime, limit, admitConnection }: Parts,
): void => {
  app.get(
    '/v1/exports/:id',
    { onRequest: async (request, reply) => void (await limit(request, reply, null)) },
    async (request, reply) => {
      const { id } = request.params as { id: string }
      const { expires, signature, bom } = request.query as Record<string, unknown>
      if (!isUuid(id)) throw new TesseraError('EXPORT_LINK_INVALID')
      const found = await followLink(runtime, { id, expires, signature })
      const { format, bytes, textBytes, checksum } = found
      // A slow reader holds a part of the file in memory, so the number of readers is limited, as for other streams.
      const leave = admitConnection(null, request.ip)
      if (!leave)
        throw new TesseraError('RATE_LIMITED', { limit: null, current: null, retryAfter: 1 })
      reply.raw.once('close', leave)
      const where = { id: found.partnerId }
      const { timeZone } = await runtime.db.partner.findUniqueOrThrow({ where })
      const name = fileNameOf(found, timeZone)
      reply
        .type(types[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'private, no-store')
        .header('vary', 'accept-encoding')
      const parts = partsOf(runtime, found)
      const isMarked = bom === '1' && format === 'CSV'
      // The parts are stored compressed, and their checksum does not include a mark.
      if (isMarked || !acceptsEncoding(request.headers['accept-encoding'], 'gzip')) {
        const start = isMarked ? byteOrderMark : Buffer.alloc(0)
        reply.header('content-length', String(textBytes + BigInt(start.length)))
        return reply.send(Readable.from(textsOf(parts, start), { highWaterMark: 1 }))
      }
      reply
        .header('content-encoding', 'gzip')
        .header('content-length', String(gzipBytes(Number(bytes))))
      const file = gzipOf(parts, { checksum: Number(checksum), textBytes })
      return reply.send(Readable.from(file, { highWaterMark: 1 }))
    },
  )
}
