/** Files that commands write under another name until they are complete. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError } from './command.ts'

/** A file that nobody has written to for so long was left by a command that was killed. */
const abandonedMs = 24 * 3_600_000

const ending = /^[\w-]+\.partial$/

/**
 * A name under which only this process writes a file: the folder may be that of several containers, in which processes
 * have the same ids. Deletes what killed commands have left a day ago.
 * @throws CommandError if there is no folder for it
 */
export const partialOf = (file: string): string => {
  const [folder, start] = [dirname(file), `${basename(file)}.`]
  if (!existsSync(folder))
    throw new CommandError(`There is no folder ${folder}; nothing was written.`)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !ending.test(name.slice(start.length))) continue
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > abandonedMs) rmSync(path, { force: true })
  }
  return `${file}.${randomUUID()}.partial`
}
