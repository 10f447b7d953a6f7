/**
 * The file of a ledger archive: lines of JSON, compressed. A head; for each user, by id, a checkpoint, entries, a checkpoint, …;
 * and a foot. Each checkpoint has the hash of the one before it and the entries between, so that a change anywhere shows.
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** A fault of a file. The message continues a sentence that begins with the file name. */
export class LedgerFileError extends Error {}

const Head = z.strictObject({
  tessera: z.literal('ledger archive'),
  version: z.literal(1),
  /** All entries were created before this time. */
  until: z.iso.datetime(),
})

const Checkpoint = z.strictObject({
  userId: z.uuid(),
  partnerId: z.uuid(),
  environment: z.enum(['TEST', 'LIVE']),
  /** The number of entries that it replaces, and the number of the newest one. */
  entries: z.int(),
  /** Their sum; the balance after them. */
  points: z.int(),
  /** The lifetime points that they added. */
  earned: z.int(),
  /** Hexadecimal, of the lines from the previous checkpoint on; null before the first entry. */
  sha256: z.string().nullable(),
})
export type Checkpoint = z.output<typeof Checkpoint>

/** The columns of an entry that a proof needs. Its line has all columns of the ledger. */
const Entry = z.looseObject({
  entryNo: z.int(),
  points: z.int(),
  balanceAfter: z.int(),
  eventType: z.string(),
  account: z.string(),
  createdAt: z.iso.datetime(),
})

const Foot = z.strictObject({
  users: z.int(),
  entries: z.int(),
  /** Of all lines before. */
  sha256: z.string(),
})
export type Foot = z.output<typeof Foot>

/** Consecutive entries of one user between two checkpoints. Files are written and taken over by segments. */
export type Segment = { before: Checkpoint; lines: string[]; after: Checkpoint }

/** Maximum entries of a segment: what one step deletes of a user. */
export const segmentEntries = 1_000

/** Maximum length of a line; metadata has up to 16 KB. */
const lineBytes = 1_000_000

/** The lifetime points that an entry adds, computed as in the audit. */
const earnedBy = ({ account, eventType, points }: z.output<typeof Entry>): number => {
  if (account === 'reversals') return Math.min(points, 0)
  const isRefund = account !== 'issuance' && eventType.endsWith('_refund')
  return isRefund ? 0 : Math.max(points, 0)
}

const parse = <T extends z.ZodType>(schema: T, line: string): z.output<T> | undefined => {
  try {
    return schema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Continues a checkpoint with entries. */
export const seal = (before: Checkpoint) => {
  const hash = createHash('sha256').update(`${JSON.stringify(before)}\n`)
  let { entries, points, earned } = before
  const add = (line: string, until?: string): void => {
    const entry = parse(Entry, line)
    if (!entry) throw new LedgerFileError(`has a line that is no entry, of user ${before.userId}`)
    if (entry.entryNo !== entries + 1 || entry.balanceAfter !== points + entry.points)
      throw new LedgerFileError(
        `has an entry that does not continue the one before: ${entry.entryNo} of user ${before.userId}`,
      )
    if (until !== undefined && entry.createdAt >= until)
      throw new LedgerFileError(
        `has an entry that is too new: ${entry.entryNo} of user ${before.userId}`,
      )
    hash.update(`${line}\n`)
    entries = entry.entryNo
    points = entry.balanceAfter
    earned += earnedBy(entry)
  }
  const close = (): Checkpoint => ({
    ...before,
    ...{ entries, points, earned, sha256: hash.copy().digest('hex') },
  })
  return { add, close }
}

/** The checkpoint after all of these entries. */
export const sealAll = (before: Checkpoint, lines: readonly string[]): Checkpoint => {
  const sealing = seal(before)
  for (const line of lines) sealing.add(line)
  return sealing.close()
}

export const isSame = (one: Checkpoint, other: Checkpoint): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const textOf = async function* (
  until: Date,
  segments: AsyncIterable<Segment>,
  onEnd: (foot: Foot) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const hashed = (text: string): string => {
    hash.update(text)
    return text
  }
  yield hashed(
    `${JSON.stringify({ tessera: 'ledger archive', version: 1, until: until.toISOString() })}\n`,
  )
  let [user, users, entries] = ['', 0, 0]
  for await (const { before, lines, after } of segments) {
    const isNew = before.userId !== user
    if (isNew) users += 1
    user = before.userId
    entries += lines.length
    const head = isNew ? `${JSON.stringify(before)}\n` : ''
    yield hashed(`${head}${lines.join('\n')}\n${JSON.stringify(after)}\n`)
  }
  const foot = { users, entries, sha256: hash.digest('hex') }
  onEnd(foot)
  yield `${JSON.stringify(foot)}\n`
}

const syncPath = async (path: string): Promise<void> => {
  const opened = await open(path)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Syncs the folder of a file, so that its name survives a power failure. */
export const syncFolderOf = (file: string): Promise<void> => syncPath(dirname(file))

/** Writes a new file. It is on the disk when this resolves. */
export const writeLedgerFile = async (
  file: string,
  until: Date,
  segments: AsyncIterable<Segment>,
): Promise<Foot> => {
  let foot: Foot | undefined
  const text = textOf(until, segments, (end) => {
    foot = end
  })
  const written = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await pipeline(Readable.from(text), createGzip(), written)
  await chmod(file, 0o600)
  await syncPath(file)
  return foot as Foot
}

/** The lines of a compressed file, in batches. */
const readLines = async function* (file: string): AsyncGenerator<string[]> {
  const unpacked = createGunzip()
  const reading = pipeline(createReadStream(file), unpacked)
  reading.catch(() => {}) // the reader gets this error, too
  try {
    let rest = Buffer.alloc(0)
    for await (const chunk of unpacked) {
      const read = Buffer.concat([rest, chunk])
      const end = read.lastIndexOf(10)
      rest = read.subarray(end + 1)
      if (rest.length > lineBytes) throw new LedgerFileError('has a line that is too long')
      if (end >= 0) yield read.toString('utf8', 0, end).split('\n')
    }
    await reading
    if (rest.length > 0) throw new LedgerFileError('is cut off')
  } catch (error) {
    if (error instanceof LedgerFileError) throw error
    const cause = (await reading.catch((one) => one)) as NodeJS.ErrnoException
    if (cause?.syscall) throw new LedgerFileError(`cannot be read: ${cause.message}`)
    throw new LedgerFileError('is cut off or damaged')
  } finally {
    unpacked.destroy()
  }
}

/** A file that is being read. `foot` is known after the last segment. */
export type LedgerFile = { until: Date; segments: AsyncGenerator<Segment>; foot(): Foot }

const headOf = (line: string | undefined): z.output<typeof Head> => {
  const head = line === undefined ? undefined : parse(Head, line)
  if (head) return head
  throw new LedgerFileError('is no archive of a ledger that this version can read')
}

/** Reads the checkpoints and entries of a file in their order, and proves each. */
class Reader {
  readonly #until: string
  readonly #hash: Hash
  #checkpoint: Checkpoint | undefined
  #lines: string[] = []
  #sealing: ReturnType<typeof seal> | undefined
  #users = 0
  #entries = 0
  foot: Foot | undefined

  constructor(head: string, until: string) {
    this.#until = until
    this.#hash = createHash('sha256').update(`${head}\n`)
  }

  /** @returns the segment that ends with the line */
  read(line: string): Segment | undefined {
    if (this.foot) throw new LedgerFileError('continues after its end')
    const foot = line.startsWith('{"users":') ? parse(Foot, line) : undefined
    if (foot) return this.#end(foot)
    this.#hash.update(`${line}\n`)
    if (!line.startsWith('{"userId":')) return this.#addEntry(line)
    const checkpoint = parse(Checkpoint, line)
    if (!checkpoint) throw new LedgerFileError('has a checkpoint that cannot be read')
    return this.#lines.length > 0 ? this.#close(checkpoint) : this.#begin(checkpoint)
  }

  #addEntry(line: string): undefined {
    if (!this.#checkpoint) throw new LedgerFileError('has an entry without a checkpoint before it')
    if (this.#lines.length >= segmentEntries)
      throw new LedgerFileError('has too many entries without a checkpoint')
    this.#sealing ??= seal(this.#checkpoint)
    this.#sealing.add(line, this.#until)
    this.#lines.push(line)
    this.#entries += 1
  }

  #begin(checkpoint: Checkpoint): undefined {
    if (this.#checkpoint && this.#checkpoint.userId >= checkpoint.userId)
      throw new LedgerFileError(`has users that are not in order: ${checkpoint.userId}`)
    this.#checkpoint = checkpoint
    this.#users += 1
  }

  #close(after: Checkpoint): Segment {
    const before = this.#checkpoint as Checkpoint
    const proven = this.#sealing?.close() as Checkpoint
    if (!isSame(proven, after))
      throw new LedgerFileError(
        `has a checkpoint that is not what its entries say, of user ${before.userId}`,
      )
    const lines = this.#lines
    this.#checkpoint = after
    this.#lines = []
    this.#sealing = undefined
    return { before, lines, after }
  }

  #end(foot: Foot): undefined {
    const found = {
      users: this.#users,
      entries: this.#entries,
      sha256: this.#hash.digest('hex'),
    }
    if (this.#lines.length > 0 || JSON.stringify(found) !== JSON.stringify(foot))
      throw new LedgerFileError('does not have what its last line says')
    this.foot = foot
  }
}

/**
 * Opens a file. Each segment is proven when it is read, and the whole file at its end.
 * @throws LedgerFileError, also from `segments`
 */
export const openLedgerFile = async (file: string): Promise<LedgerFile> => {
  const lists = readLines(file)
  const first: string[] = (await lists.next()).value ?? []
  const head = headOf(first[0])
  const reader = new Reader(first[0] as string, head.until)
  const read = async function* () {
    try {
      for (
        let lines: string[] | undefined = first.slice(1);
        lines;
        lines = (await lists.next()).value
      )
        for (const line of lines) {
          const segment = reader.read(line)
          if (segment) yield segment
        }
      if (!reader.foot) throw new LedgerFileError('is cut off')
    } finally {
      await lists.return(undefined)
    }
  }
  return { until: new Date(head.until), segments: read(), foot: () => reader.foot as Foot }
}
