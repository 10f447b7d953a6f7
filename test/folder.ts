import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
const enoughBytes = 4e9

/** Shared memory if there is enough of it: a copy of the embedded database has 1,400 files. */
const root = () => {
  if (!existsSync(sharedMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize > enoughBytes ? sharedMemory : tmpdir()
}

/** A new folder for a database. The folders of a run have one parent, which is removed at its end. */
export const createFolder = (purpose: string): string =>
  mkdtempSync(join(process.env.TEST_FOLDER ?? root(), `tessera-${purpose}-`))
