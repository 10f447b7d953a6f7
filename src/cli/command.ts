/** Shared parts of operator commands: their options, a database that is up to date, and problems in one line. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'
import { openPepper } from '../kit/access/pepper.ts'
import { systemClock } from '../kit/clock.ts'
import { type Config, readConfig } from '../kit/config/config.ts'
import { type Database, openDatabase } from '../kit/database/db.ts'
import { migrate } from '../kit/database/migrate.ts'
import { MigrationError, pendingMigrations } from '../kit/database/migration-state.ts'
import { explain } from '../kit/database/startup-problem.ts'
import { TesseraError } from '../kit/errors.ts'
import { optimizeDatabaseLate, preventExitHang } from '../kit/exit.ts'
import { cryptoRandom } from '../kit/random.ts'
import type { Work } from '../kit/runtime.ts'

/** Invalid arguments. Nothing was done. The message is one line. */
export class UsageError extends Error {}

/** A refusal that the operator can understand. The message is one line. */
export class CommandError extends Error {}

/**
 * Runs a command. The exit code is 2 for invalid arguments and 1 for any other failure.
 * @param name the command, as in `tessera NAME`
 */
export const runCommand = async (
  name: string,
  usage: string,
  run: () => Promise<void>,
): Promise<void> => {
  preventExitHang()
  optimizeDatabaseLate()
  if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument)))
    return console.log(usage)
  try {
    await run()
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1
    if (error instanceof UsageError)
      console.error(`${error.message} (more: tessera ${name} --help)`)
    else if (error instanceof CommandError || error instanceof TesseraError)
      console.error(error.message)
    else console.error(explain(error) ?? error)
  }
}

/**
 * The options and the positional arguments, as many as there are names.
 * @throws UsageError
 */
export const readArguments = <T extends NonNullable<ParseArgsConfig['options']>>(
  options: T,
  names: string[] = [],
) => {
  const parse = () => {
    try {
      return parseArgs({ options, allowPositionals: true })
    } catch (error) {
      throw new UsageError((error as Error).message)
    }
  }
  const { values, positionals } = parse()
  const missing = names[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing`)
  if (positionals.length > names.length)
    throw new UsageError(`Unexpected argument: ${positionals[names.length]}`)
  return { values, positionals }
}

/**
 * Checks an argument as the API checks the same input.
 * @param name of the argument, for the message
 * @throws UsageError
 */
export const checkArgument = <T extends z.ZodType>(
  name: string,
  schema: T,
  value: unknown,
): z.output<T> => {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new UsageError(`${name} ${error.issues[0]?.message}`)
}

/** Says why nothing happens yet. */
export const onWait = (): void => console.error('DATA_DIR is in use; waiting …')

type CommandWork = Work & Database & { config: Config }

/**
 * Opens the configured database for domain functions and closes it afterwards. As at a start of the server, missing
 * migrations are applied first, unless MIGRATE=off.
 */
export const withDatabase = async <T>(use: (work: CommandWork) => Promise<T>): Promise<T> => {
  const config = readConfig()
  const database = await openDatabase({ ...config, fromBuild: config.migrate, onWait })
  try {
    const { db, direct } = database
    if (config.migrate) await migrate(direct)
    else if ((await pendingMigrations(direct)).length > 0)
      throw new MigrationError('The database is not up to date, and MIGRATE=off: tessera migrate')
    const pepper = await openPepper(db, systemClock, config.masterKeys)
    const keys = { master: config.masterKeys, pepper, cell: config.cell }
    return await use({
      ...database,
      tx: db,
      clock: systemClock,
      random: cryptoRandom,
      keys,
      config,
      singletons: new Map(),
    })
  } finally {
    await database.close()
  }
}

/** Prints a result: for scripts as JSON, for people as text. */
export const printResult = (isJson: boolean | undefined, result: object, text: string): void =>
  console.log(isJson ? JSON.stringify(result, null, 2) : text)

/** Shows where a long command is: on a terminal in one line, otherwise a line for each step and every ten seconds. */

export type Progress = (step: string, done?: number, total?: number) => void

const isTerminal = () => process.stderr.isTTY

export const createProgress = (): Progress => {
  const startedAt = performance.now()
  let [last, shownAt] = ['', 0]
  return (step, done, total) => {
    const now = performance.now()
    const isNew = step !== last
    if (!isNew && now - shownAt < (isTerminal() ? 200 : 10_000)) return
    ;[last, shownAt] = [step, now]
    const count = done ? `: ${done.toLocaleString('en')}` : ''
    const all = done && total ? ` of ${total.toLocaleString('en')}` : ''
    const line = `${((now - startedAt) / 1000).toFixed(0).padStart(4)} s  ${step}${count}${all}`
    process.stderr.write(isTerminal() ? `${isNew ? '\n' : '\r\x1b[K'}${line}` : `${line}\n`)
  }
}

/** Leaves the line, so that a result has its own. */
export const endProgress = (): void => {
  if (isTerminal()) process.stderr.write('\n')
}
