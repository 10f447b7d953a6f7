/** Programs of PostgreSQL that are installed on this machine. */
import { spawn } from 'node:child_process'
import { CommandError } from './command.ts'

/**
 * Runs a program on the database of a URL. The password is not among its arguments, which others can read.
 * @throws CommandError with what the program says
 */
export const runPostgresTool = async (
  program: 'pg_dump' | 'pg_restore',
  url: string,
  options: string[],
): Promise<void> => {
  // Several hosts are no URL to Node, so the password is found by hand.
  const [, user = '', password = ''] = /^\w+:\/\/([^/?#@:]*):([^/?#@]*)@/.exec(url) ?? []
  const database = password ? url.replace(`${user}:${password}@`, `${user}@`) : url
  const env = { ...process.env, ...(password && { PGPASSWORD: decodeURIComponent(password) }) }
  const child = spawn(program, [`--dbname=${database}`, ...options], {
    ...{ env, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(0, 2_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'ENOENT'
        ? `${program} is not installed: it comes with the client of PostgreSQL, such as apt install postgresql-client`
        : error.message,
    )
  })
  if (code !== 0) throw new CommandError(`${said.trim() || `${program} ended with ${code}`}`)
}
