/** The CPU time of a PostgreSQL cluster on this machine. */
import { existsSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** The id of its first process. The user must be a superuser. */
export const postmasterOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
  )
  return rows[0].pid
}

const statOf = (pid: string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []

/** The CPU time of a cluster in µs: of its first process, including ended children, and of running ones. */
export const clusterMicros = (postmaster: string): number => {
  const path = `/proc/${postmaster}/task/${postmaster}/children`
  if (!existsSync(path)) return Number.NaN
  const [, , , , , , , , , , , utime = 0, stime = 0, cutime = 0, cstime = 0] = statOf(postmaster)
  const running = readFileSync(path, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map((pid) => {
      try {
        const [user = 0, system = 0] = statOf(pid).slice(11)
        return user + system
      } catch {
        return 0
      }
    })
  return running.reduce((sum, ticks) => sum + ticks, utime + stime + cutime + cstime) * 10_000
}
