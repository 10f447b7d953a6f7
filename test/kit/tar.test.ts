import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Entry,
  endOfArchive,
  entryHeaderOf,
  paddingOf,
  readArchive,
} from '../../src/kit/embedded/tar.ts'
import { createFolder } from '../folder.ts'

const archiveOf = (files: [name: string, content: string][]) =>
  Buffer.concat([
    ...files.flatMap(([name, content]) => {
      const bytes = Buffer.from(content)
      return [
        entryHeaderOf({ name, isFolder: false, bytes: bytes.length }),
        bytes,
        paddingOf(bytes.length),
      ]
    }),
    endOfArchive,
  ])

/** The entries of an archive that arrives in pieces of `piece` bytes. */
const read = async (archive: Buffer, piece = 1000) => {
  const pieces = async function* () {
    for (let at = 0; at < archive.length; at += piece) yield archive.subarray(at, at + piece)
  }
  const found: [Entry, string][] = []
  await readArchive(pieces(), async (entry) => {
    const parts: Buffer[] = []
    return async (bytes) => {
      if (bytes) parts.push(Buffer.from(bytes))
      else found.push([entry, Buffer.concat(parts).toString()])
    }
  })
  return found
}

test.each([1, 511, 512, 513, 100_000])(
  'an archive in pieces of %d bytes is read',
  async (piece) => {
    const files: [string, string][] = [
      ['a', ''],
      ['b/c', 'x'.repeat(512)],
      ['b/d', 'y'.repeat(1500)],
    ]
    const found = await read(archiveOf(files), piece)
    expect(found.map(([{ name }, content]) => [name, content])).toEqual(files)
  },
)

test('tar reads it, and it reads what tar writes', async () => {
  const folder = createFolder('tar')
  writeFileSync(join(folder, 'ours.tar'), archiveOf([['base/1/2', 'text']]))
  execFileSync('tar', ['-xf', 'ours.tar'], { cwd: folder })
  expect(readFileSync(join(folder, 'base/1/2'), 'utf8')).toBe('text')
  mkdirSync(join(folder, 'empty'))
  execFileSync('tar', ['--format=ustar', '-cf', 'theirs.tar', 'empty', 'base/1/2'], { cwd: folder })
  const found = await read(readFileSync(join(folder, 'theirs.tar')))
  expect(found).toEqual([
    [{ name: 'empty', isFolder: true, bytes: 0 }, ''],
    [{ name: 'base/1/2', isFolder: false, bytes: 4 }, 'text'],
  ])
})

test('what is cut off, damaged or leads out of the folder is refused', async () => {
  const archive = archiveOf([['a', 'text']])
  for (const length of [0, 100, 512, 515, 1024, 1600])
    await expect(read(archive.subarray(0, length))).rejects.toThrow('ends too early')
  const damaged = Buffer.from(archive)
  damaged[3] = 1
  await expect(read(damaged)).rejects.toThrow('damaged')
  for (const name of ['../a', 'a/../../b', 'a//b', '.'])
    await expect(read(archiveOf([[name, '']]))).rejects.toThrow('what no backup has')
  expect(() => entryHeaderOf({ name: 'x'.repeat(101), isFolder: false, bytes: 0 })).toThrow(
    'too long',
  )
})
