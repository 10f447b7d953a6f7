/** A migrated embedded database without rows. `npm run build` makes it, so that a first start need not. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A DATA_DIR that no process serves from. */
export const emptyDatabase = join(import.meta.dirname, '../../generated/empty-database')

/** Copies the files of the empty database, unless there are files already or it was not built. */
export const copyEmptyDatabase = (target: string): void => {
  const source = join(emptyDatabase, 'db')
  if (existsSync(target) || !existsSync(source)) return
  // Renamed when it is complete, so an interrupted start leaves nothing that looks like a database.
  const partial = `${target}.partial`
  rmSync(partial, { recursive: true, force: true })
  // Copied folders get the mode that the umask leaves.
  const umask = process.umask(0o077)
  cpSync(source, partial, { recursive: true })
  process.umask(umask)
  renameSync(partial, target)
}
