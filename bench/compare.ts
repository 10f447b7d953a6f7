/**
 * `npm run bench:compare -- COMMIT|FOLDER [ROW …]`: measures this checkout against another commit in one run, or against a
 * checkout in a folder that is ready to start.
 * Each has its own PostgreSQL, database and server; only the one whose turn it is works.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepareBench, tempFolder } from './bench.ts'
import { atEnd, runToEnd } from './child.ts'
import * as loads from './loads.ts'
import { faults } from './rounds.ts'
import { compareSides, rows, type Side } from './sides.ts'

const run = (command: string, args: string[], cwd?: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

/** A folder with the code of a commit, ready to start. */
const checkOut = (commit: string): string => {
  if (existsSync(commit)) return commit
  const folder = join(tempFolder(), 'checkout')
  run('git', ['worktree', 'add', '--detach', folder, commit])
  atEnd(() => run('git', ['worktree', 'remove', '--force', folder]))
  const lockFile = 'package-lock.json'
  const isSame = readFileSync(lockFile).equals(readFileSync(join(folder, lockFile)))
  if (isSame) {
    cpSync('node_modules', join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    run('npm', ['run', 'postinstall'], folder)
  } else run('npm', ['ci'], folder)
  return folder
}

const prepare = async (name: string, checkout?: string): Promise<Side> => {
  console.log(`${name}:`)
  const own = checkout && join(checkout, 'bench/loads.ts')
  const theirs = own && existsSync(own) ? await import(pathToFileURL(own).href) : loads
  return { name, bench: await prepareBench(checkout), loads: theirs }
}

const main = async ([commit, ...wanted]: string[]) => {
  const unknown = wanted.filter((row) => !(row in rows))
  if (!commit || unknown.length > 0)
    throw new Error(
      `npm run bench:compare -- COMMIT|FOLDER [ROW …]. Rows: ${Object.keys(rows).join(', ')}`,
    )
  const sides = [await prepare('before', checkOut(commit)), await prepare('now')]
  const lines: string[] = []
  for (const [name, [what, row]] of Object.entries(rows))
    if (wanted.length === 0 || wanted.includes(name))
      lines.push(`${name}  ${await compareSides(what, row, sides)}`)
  console.log(`\n${lines.join('\n')}`)
  for (const fault of faults) console.log(`!!! ${fault}`)
  return faults.length === 0
}

await runToEnd(() => main(process.argv.slice(2)))
