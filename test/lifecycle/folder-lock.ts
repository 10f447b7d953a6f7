import { DataDirLockError, lockDataDir } from '../../src/kit/embedded/data-dir.ts'

/** Whether another process has a DATA_DIR now. */
export const isLocked = async (dataDir: string): Promise<boolean> => {
  try {
    const unlock = await lockDataDir(dataDir, { waitMs: 0 })
    unlock()
    return false
  } catch (error) {
    if (error instanceof DataDirLockError) return true
    throw error
  }
}
