/** The folder of the embedded database and the demo keys. Only its owner can read it. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Logger } from '../observability/log.ts'
import { lockFileName } from './data-dir-lock.ts'

/** The mode without the permissions of group and others. */
const ownerOnly = (mode: number) => mode & ~0o077

type NodeOps = {
  setattr(target: unknown, change: { mode?: number }): void
  mknod(parent: unknown, name: string, mode: number, device: number): unknown
}

/**
 * The files of the embedded engine. The engine creates them readable by everyone and sets their mode afterwards,
 * which bypasses the umask. So each mode is narrowed before it reaches the disk.
 */
export class PrivateFiles extends NodeFS {
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    super(folder)
  }

  override async init(...parts: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...parts)
    const narrow = ({ NODEFS }: { NODEFS: unknown }) => {
      const { node_ops, stream_ops } = NODEFS as { node_ops: NodeOps; stream_ops: NodeOps }
      for (const ops of [node_ops, stream_ops]) {
        const { setattr } = ops
        ops.setattr = (target, { mode, ...change }) =>
          setattr(target, { ...change, ...(mode !== undefined && { mode: ownerOnly(mode) }) })
      }
      const { mknod } = node_ops
      node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, ownerOnly(mode), device)
    }
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [narrow, ...(emscriptenOpts.preRun ?? [])] },
    }
  }
}

/** The folder and the files that Tessera created in it. Other files are not changed. */
const ownPaths = (dataDir: string): string[] => {
  const [database, ...files] = ['db', 'demo.json', lockFileName].map((name) => join(dataDir, name))
  const inside = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const below = join(path, entry.name)
      return entry.isDirectory() ? [below, ...inside(below)] : [below]
    })
  const found = [dataDir, database as string, ...files].filter((path) => existsSync(path))
  return found.includes(database as string) ? [...found, ...inside(database as string)] : found
}

/**
 * Removes permissions of group and others that an earlier version, a restored copy or a mistake has granted,
 * and logs a warning, because others may have read the files.
 */
export const repairDataDir = (dataDir: string, log: Logger): void => {
  if (process.platform === 'win32') return // file modes have no effect there
  const failed: string[] = []
  const open = ownPaths(dataDir).filter((path) => {
    const { mode } = lstatSync(path)
    if (mode === ownerOnly(mode)) return false
    try {
      chmodSync(path, ownerOnly(mode) & 0o7777)
    } catch {
      failed.push(path)
    }
    return true
  })
  const count = open.length
  if (failed.length > 0)
    log.warn({ path: failed[0] }, 'other users can read DATA_DIR; set its mode to 0700')
  else if (count > 0)
    log.warn({ path: open[0], count }, 'other users could read DATA_DIR; its modes are repaired')
}
