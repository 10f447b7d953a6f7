/** Files that commands write under another name until they are complete. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../src/core/db/data-dir.ts'
import { CommandError } from './command.ts'

/**
 * The name under which this process writes a file. Deletes the partial files of killed processes.
 * @throws CommandError if there is no folder for it
 */
export const partialOf = (file: string): string => {
  const [folder, start] = [dirname(file), `${basename(file)}.`]
  if (!existsSync(folder))
    throw new CommandError(`There is no folder ${folder}; nothing was written.`)
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(start)
      ? (/^(\d+)\.partial$/.exec(name.slice(start.length)) ?? [])
      : []
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
  return `${file}.${process.pid}.partial`
}
