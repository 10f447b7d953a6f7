/** Programs of PostgreSQL that are installed on this machine. */
import { spawn } from 'node:child_process'
import { CommandError } from './command.ts'

/** Takes the password out of a URL. Node cannot parse a URL with several hosts, so it is found by hand. */
export const withoutPassword = (url: string): { database: string; password: string } => {
  const [, user = '', first = ''] = /^\w+:\/\/([^/?#@:]*):([^/?#@]*)@/.exec(url) ?? []
  const [, last] = /[?&]password=([^&#]*)/.exec(url) ?? []
  const database = (first ? url.replace(`${user}:${first}@`, `${user}@`) : url)
    .replace(/([?&])password=[^&#]*&?/g, '$1')
    .replace(/[?&]$/, '')
  return { database, password: last ?? first } // libpq prefers the parameter, too
}

/**
 * Runs a program on the database of a URL. Does not pass the password as an argument, which others can read.
 * @throws CommandError with the output of the program
 */
export const runPostgresTool = async (
  program: 'pg_dump' | 'pg_restore',
  url: string,
  options: string[],
): Promise<void> => {
  const { database, password } = withoutPassword(url)
  const env = { ...process.env, ...(password && { PGPASSWORD: decodeURIComponent(password) }) }
  const child = spawn(program, [`--dbname=${database}`, ...options], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
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
