/** The text of an export, and its compressed form. */
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ExportFormat } from '../generated/prisma/enums.ts'

/** A row of an export: the same columns in the same order in each. */
export type ExportRow = Record<string, unknown>

/** A spreadsheet takes a text that begins with one of these for a formula. */
const formula = /^[=+\-@\t\r]/

const plain = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? Number(value) : value
}

const cellOf = (value: unknown): string => {
  const known = plain(value)
  if (known === null || known === undefined) return ''
  if (typeof known === 'number' || typeof known === 'boolean') return String(known)
  const text = typeof known === 'string' ? known : JSON.stringify(known)
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineOf = (format: ExportFormat, row: ExportRow): string =>
  format === 'CSV'
    ? `${Object.values(row).map(cellOf).join(',')}\r\n`
    : `${JSON.stringify(row, (_, value) => plain(value))}\n`

/** The first line of a file; empty if it has none. */
export const headerOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === 'CSV' ? `${columns.join(',')}\r\n` : ''

/** Texts of one part of a file are at most this long, unless one line is longer. */
const partBytes = 1024 * 1024

/** A compressed part of a file. */
export type FilePart = { data: Uint8Array<ArrayBuffer>; textBytes: number }

/** The parts of a text with these lines, and the checksum of the file so far. */
export const partsOf = (
  lines: Iterable<string>,
  checksum: number,
): { parts: FilePart[]; checksum: number } => {
  const parts: FilePart[] = []
  let sum = checksum
  let buffers: Buffer[] = []
  let size = 0
  const end = () => {
    if (size === 0) return
    const text = Buffer.concat(buffers)
    sum = crc32(text, sum)
    // Each part ends at a byte and refers to no other, so that they can be put together and read alone.
    const data = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH })
    parts.push({ data: new Uint8Array(data), textBytes: size })
    buffers = []
    size = 0
  }
  for (const line of lines) {
    const bytes = Buffer.from(line)
    if (size + bytes.length > partBytes) end()
    buffers.push(bytes)
    size += bytes.length
  }
  end()
  return { parts, checksum: sum }
}

export const exportLines = (format: ExportFormat, rows: readonly ExportRow[]): string[] =>
  rows.map((row) => lineOf(format, row))

export const textOfPart = (data: Uint8Array): Buffer =>
  inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH })

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([3, 0])
const gzipExtra = gzipHead.length + lastBlock.length + 8

/** The size of a gzip file with parts of this size. */
export const gzipBytes = (bytes: number): number => bytes + gzipExtra

/** One gzip file of the parts of a text. */
export async function* gzipOf(
  parts: AsyncIterable<Uint8Array>,
  { checksum, textBytes }: { checksum: number; textBytes: bigint },
): AsyncGenerator<Uint8Array> {
  yield gzipHead
  yield* parts
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checksum, 0)
  end.writeUInt32LE(Number(textBytes % 0x1_0000_0000n), 4)
  yield Buffer.concat([lastBlock, end])
}
