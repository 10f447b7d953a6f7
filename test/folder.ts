import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
const enoughBytes = 4e9

/** In memory where there is enough of it: a copy of the embedded database has 1,400 files. */
const root = () => {
  if (!existsSync(sharedMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize > enoughBytes ? sharedMemory : tmpdir()
}

/** A new folder for a database. Those of a run are in one folder, which its end removes. */
export const createFolder = (purpose: string): string =>
  mkdtempSync(join(process.env.TEST_FOLDER ?? root(), `tessera-${purpose}-`))
