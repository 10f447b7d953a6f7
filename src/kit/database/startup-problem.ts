/** What an operator can do when the server or a command cannot start. */
import { ConfigError } from '../config/config.ts'
import { DataDirLockError } from '../embedded/data-dir.ts'
import { MigrationError } from './migration-state.ts'
import { codeOf } from './outage.ts'
import { PoolerError } from './pooler.ts'

/** Problems of the environment, by error code. */
const knownCodes: Record<string, string> = {
  ECONNREFUSED: 'The database cannot be reached: is PostgreSQL running at DATABASE_URL?',
  ENOTFOUND: 'The host of DATABASE_URL or HOST is not known.',
  EAI_AGAIN: 'The host of DATABASE_URL or HOST cannot be looked up.',
  '3D000': 'The database of DATABASE_URL does not exist: make it with createdb.',
  '28P01': 'The user or the password of DATABASE_URL is wrong.',
  '25006': 'No host of DATABASE_URL accepts writes.',
  '28000': 'The user of DATABASE_URL may not connect.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  EACCES: 'Not allowed: check PORT, and who owns DATA_DIR.',
  EEXIST: 'DATA_DIR is a file; it must be a folder.',
  ENOTDIR: 'DATA_DIR is a file; it must be a folder.',
}

/** Errors whose message already says what to do. */
const ownFaults = [DataDirLockError, MigrationError, PoolerError]

/** The message for an operator; undefined for a fault of the program. */
export const explain = (error: unknown): string | undefined => {
  const { port, message } = error as NodeJS.ErrnoException & { port?: number }
  const code = codeOf(error)
  if (error instanceof ConfigError)
    return `The configuration is not usable:\n${message.replace(/^/gm, '  ')}`
  if (ownFaults.some((fault) => error instanceof fault)) return message
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Stop the other program, or choose another: PORT=${Number(port) + 1} npm start`
  const known = knownCodes[code ?? '']
  return known && `${known} (${message})`
}
