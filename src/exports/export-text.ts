/** The text of an export, and its compressed form. */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, inflateRawSync } from 'node:zlib'
import type { ExportFormat } from '../generated/prisma/enums.ts'

/** A row of an export. All rows have the same columns in the same order. */
export type ExportRow = Record<string, unknown>

/** A spreadsheet treats a text that begins with one of these as a formula. The last four are full-width forms. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Some spreadsheets separate columns by these. */
const separator = /[",;\t\r\n]/

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
  return separator.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineOf = (format: ExportFormat, row: ExportRow): string =>
  format === 'CSV'
    ? `${Object.values(row).map(cellOf).join(',')}\r\n`
    : `${JSON.stringify(row, (_, value) => plain(value))}\n`

/** The first line of a file; empty if it has none. */
export const headerOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === 'CSV' ? `${columns.join(',')}\r\n` : ''

/** The maximum bytes of text in one part of a file, unless a single line is longer. */
const partBytes = 1024 * 1024

/** A compressed part of a file. */
type FilePart = { data: Uint8Array<ArrayBuffer>; textBytes: number }

const deflate = promisify(deflateRaw)

/** Each part ends at a byte boundary and refers to no other part, so parts can be concatenated or read alone. */
const flush = { finishFlush: constants.Z_FULL_FLUSH }

/** Groups of lines, each up to the size of a part. */
function* groupsOf(lines: readonly string[]): Generator<string[]> {
  let group: string[] = []
  let size = 0
  for (const line of lines) {
    const bytes = Buffer.byteLength(line)
    if (size > 0 && size + bytes > partBytes) {
      yield group
      group = []
      size = 0
    }
    group.push(line)
    size += bytes
  }
  if (size > 0) yield group
}

/** The parts of a text with these lines, and the checksum of the file so far. Compressed in the thread pool. */
export const partsOf = async (
  lines: readonly string[],
  checksum: number,
): Promise<{ parts: FilePart[]; checksum: number }> => {
  const parts: FilePart[] = []
  let sum = checksum
  for (const group of groupsOf(lines)) {
    const text = Buffer.from(group.join(''))
    sum = crc32(text, sum)
    parts.push({ data: await deflate(text, flush), textBytes: text.length })
  }
  return { parts, checksum: sum }
}

export const exportLines = (format: ExportFormat, rows: readonly ExportRow[]): string[] =>
  rows.map((row) => lineOf(format, row))

export const textOfPart = (data: Uint8Array): Buffer =>
  inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH })

/** By this, spreadsheets recognize UTF-8. */
export const byteOrderMark = Buffer.from('\ufeff')

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
