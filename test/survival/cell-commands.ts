/** Commands and checks for tests of cells. */
import { audit } from '../../tools/invariants.ts'
import { countRows } from '../../tools/partner-rows.ts'
import { writtenLate } from '../../tools/partner-tables.ts'
import { startProgram } from '../server-process.ts'
import type { TestDatabase, TestPartner, World } from '../world.ts'

/** Starts `tessera` in the cell of a database. A command may begin with a setting, `NAME=value`. */
export const run = (from: TestDatabase, command: string) => {
  const [, name, value, rest] = /^([A-Z_]+)=(\S+) (.*)$/.exec(command) ?? []
  const settings = {
    DATABASE_URL: from.databaseUrl as string,
    ...(name && { [name]: value ?? '' }),
  }
  return startProgram(settings, `bin/tessera.js ${rest ?? command}`)
}

export const createCell = ({ databaseUrl }: TestDatabase) =>
  `TARGET_DATABASE_URL=${databaseUrl} cell create`

export const ended = async (from: TestDatabase, command: string) => {
  const running = run(from, command)
  return { code: await running.exited, output: running.output() }
}

export const kill = async ({ pid, exited }: ReturnType<typeof run>) => {
  process.kill(-pid, 'SIGKILL')
  await exited
}

export const slugOf = async (world: World, { partnerId }: TestPartner) =>
  (await world.runtime.db.partner.findUniqueOrThrow({ where: { id: partnerId } })).slug

/** The guarantees that do not hold in a cell. */
export const brokenIn = async (world: World) => {
  const broken: string[] = []
  await audit(world.server.database.pool, (name, n) => void (n > 0 && broken.push(name)))
  return broken
}

/** The tables of a cell that have rows of a partner who has moved away. */
export const leftIn = async (world: World, { partnerId }: TestPartner) => {
  const client = await world.server.database.pool.connect()
  try {
    return Object.entries(await countRows(client, partnerId))
      .filter(([name, n]) => n > 0 && !writtenLate.includes(name))
      .map(([name]) => name)
      .sort()
  } finally {
    client.release()
  }
}
