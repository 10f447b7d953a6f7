/**
 * Lets a command on the same machine back up the embedded database of a running server. The socket is in DATA_DIR, so
 * only users who can read the database anyway can connect.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../observability/log.ts'
import type { EmbeddedPool } from './embedded-pool.ts'
import { readBackup, sizeOfBackup } from './online-backup.ts'

export const backupSocket = (dataDir: string): string => join(dataDir, 'backup.sock')

/** The first line of an answer. The archive follows unless there is an error. */
export type BackupHead = { bytes: number } | { error: string }

const lineOf = (head: BackupHead) => `${JSON.stringify(head)}\n`

/** A client that stops reading is disconnected after this time, because the write-ahead log grows during a backup. */
const silentMs = 60_000

/** Starts to serve backups. Returns the function that stops this and aborts a running backup. */
export const serveBackups = (
  pool: EmbeddedPool,
  dataDir: string,
  log: Logger,
): (() => Promise<void>) => {
  if (process.platform === 'win32') return async () => {} // has no sockets in folders
  const path = backupSocket(dataDir)
  const root = join(dataDir, 'db')
  const open = new Set<Socket>()
  let running: Promise<void> | undefined

  const give = async (socket: Socket) => {
    const startedAt = performance.now()
    try {
      socket.write(lineOf({ bytes: await sizeOfBackup(root) }))
      await pipeline(Readable.from(readBackup(pool, root)), socket)
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'gave a backup')
    } catch (err) {
      log.warn({ err }, 'a backup was broken off')
      socket.destroy()
    }
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.setTimeout(silentMs, () => socket.destroy())
    if (running)
      socket.end(lineOf({ error: 'Another backup is being made; wait until it has ended.' }))
    else running = give(socket).finally(() => (running = undefined))
  })
  rmSync(path, { force: true }) // left by a process that was killed
  server.on('error', (err) =>
    log.warn({ err }, 'backups are possible only while the server is stopped'),
  )
  server.listen(path, () => chmodSync(path, 0o600))
  return async () => {
    for (const socket of open) socket.destroy()
    await running
    await new Promise((resolve) => server.close(resolve))
  }
}
