/** Serves the files of exports by signed links. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { DataExport } from '../generated/prisma/client.ts'
import { TesseraError } from '../kit/errors.ts'
import { acceptsEncoding, type Parts } from '../kit/http/http-parts.ts'
import type { Runtime } from '../kit/runtime.ts'
import { isUuid } from '../kit/validation.ts'
import { followLink } from './export-link.ts'
import { byteOrderMark, gzipBytes, gzipOf, textOfPart } from './export-text.ts'

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
      const { kind, format, bytes, textBytes, checksum } = found
      // A slow reader holds a part of the file in memory, so the number of readers is limited, as for other streams.
      const leave = admitConnection(null, request.ip)
      if (!leave)
        throw new TesseraError('RATE_LIMITED', { limit: null, current: null, retryAfter: 1 })
      reply.raw.once('close', leave)
      const name = `${kind.toLowerCase()}-${id}.${format.toLowerCase()}`
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
