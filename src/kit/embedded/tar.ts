/** Archives of files as a stream, in the format of POSIX tar: names up to 100 bytes, files and folders only. */

const blockBytes = 512

export type Entry = { name: string; isFolder: boolean; bytes: number }

/** The archive is damaged, incomplete or not one of ours. */
export class ArchiveError extends Error {}

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`

const checksumOf = (header: Buffer) => {
  const blank = Buffer.from(header)
  blank.fill(' ', 148, 156)
  return blank.reduce((sum, byte) => sum + byte, 0)
}

/** The header before the bytes of a file. Its mode lets only the owner read the file. */
export const entryHeaderOf = ({ name, isFolder, bytes }: Entry): Buffer => {
  const header = Buffer.alloc(blockBytes)
  const path = isFolder ? `${name}/` : name
  if (Buffer.byteLength(path) > 100) throw new ArchiveError(`The name ${name} is too long`)
  header.write(path, 0)
  header.write(octal(isFolder ? 0o700 : 0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(bytes, 12), 124)
  header.write(octal(Math.floor(Date.now() / 1000), 12), 136)
  header.write(isFolder ? '5' : '0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The padding after the bytes of a file. */
export const paddingOf = (bytes: number): Buffer =>
  Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)

export const endOfArchive = Buffer.alloc(2 * blockBytes)

const parseHeader = (header: Buffer): Entry => {
  const text = (from: number, to: number) =>
    (header.toString('utf8', from, to).split('\0', 1)[0] as string).trim()
  if (Number.parseInt(text(148, 156), 8) !== checksumOf(header))
    throw new ArchiveError('it is damaged')
  const [name, type] = [text(0, 100).replace(/^\/|\/$/g, ''), text(156, 157)]
  const isFolder = type === '5'
  const isInside = !name.split('/').some((part) => ['', '.', '..'].includes(part))
  if (!isInside || !['0', '5', ''].includes(type))
    throw new ArchiveError('it has what no backup has')
  return { name, isFolder, bytes: isFolder ? 0 : Number.parseInt(text(124, 136), 8) }
}

/** Reads given numbers of bytes from a stream. */
const createReader = (source: AsyncIterable<Buffer>) => {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** Up to this many bytes, as soon as there are any. */
  const some = async (atMost: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done) throw new ArchiveError('it ends too early')
      rest = value
    }
    const taken = rest.subarray(0, atMost)
    rest = rest.subarray(taken.length)
    return taken
  }
  const exactly = async (bytes: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let missing = bytes; missing > 0; missing -= parts.at(-1)?.length ?? 0)
      parts.push(await some(missing))
    return Buffer.concat(parts)
  }
  return { some, exactly }
}

/**
 * Reads an archive to its end.
 * @param onEntry called for each entry; what it returns is called with the bytes of the file, and with null at its end
 * @throws ArchiveError unless the archive is complete
 */
export const readArchive = async (
  source: AsyncIterable<Buffer>,
  onEntry: (entry: Entry) => Promise<(bytes: Buffer | null) => Promise<void>>,
): Promise<void> => {
  const reader = createReader(source)
  for (;;) {
    const header = await reader.exactly(blockBytes)
    if (header.every((byte) => byte === 0)) break
    const entry = parseHeader(header)
    const write = await onEntry(entry)
    for (let missing = entry.bytes; missing > 0; ) {
      const bytes = await reader.some(missing)
      missing -= bytes.length
      await write(bytes)
    }
    await write(null)
    await reader.exactly(paddingOf(entry.bytes).length)
  }
  // Read to the end, where a compressed stream has its checksum.
  await reader.exactly(blockBytes)
  for await (const more of source) if (more.some((byte) => byte !== 0)) break
}
