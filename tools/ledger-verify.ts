/** `tessera ledger verify`: proves archives of the ledger against themselves, against each other, and against the database. */
import type pg from 'pg'
import { readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import { CommandError, readArguments, runCommand, UsageError } from './command.ts'
import { type Chain, readChains } from './ledger-chain.ts'
import { type Checkpoint, type LedgerFile, LedgerFileError, openLedgerFile } from './ledger-file.ts'
import { readCheckpoints } from './ledger-rows.ts'
import { createProgress, endProgress } from './progress.ts'

const usage = `tessera ledger verify FILE … [--complete | --offline]

Proves archives that tessera ledger archive wrote: that the entries in each file are what its checkpoints say, that each file
continues the one before, and that the checkpoints in the database are those of the files. Changes nothing.
--complete also fails if the database has checkpoints that the files do not prove: a file is missing. --offline leaves out the
database. With the embedded database, stop the server first.`

/** Findings by their text: how often each occurred, and the first three users. */
type Found = Map<string, { count: number; users: string[] }>

const note = (found: Found, what: string, userId: string): void => {
  const { count, users } = found.get(what) ?? { count: 0, users: [] }
  found.set(what, { count: count + 1, users: users.length < 3 ? [...users, userId] : users })
}

type Checked = { proven: number; faults: Found; notes: Found }

const textOf = ({ userId, entries, points, earned, sha256 }: Checkpoint) =>
  JSON.stringify([userId, entries, points, earned, sha256])

const checkChain = ({ userId, checkpoints, isWhole }: Chain, { faults, notes }: Checked): void => {
  if (!isWhole) note(faults, 'do not continue from one file to the next', userId)
  if (checkpoints[0]?.sha256 !== null) note(notes, 'begin in an earlier file', userId)
}

/** Compares chains with the database. */
const checkRows = async (client: pg.ClientBase, chains: Chain[], checked: Checked) => {
  const known = await readCheckpoints(
    client,
    chains.map(({ userId }) => userId),
  )
  for (const { userId, checkpoints } of chains) {
    const [row, last] = [known.get(userId), checkpoints.at(-1) as Checkpoint]
    if (!row) note(checked.notes, 'are not in this database', userId)
    else if (textOf(row) === textOf(last)) checked.proven += 1
    else if (checkpoints.some((one) => textOf(one) === textOf(row)))
      note(
        checked.faults,
        'were not taken over to the end: run tessera ledger archive again',
        userId,
      )
    else if (row.entries > last.entries) note(checked.notes, 'continue in a later file', userId)
    else note(checked.faults, 'have another checkpoint in the database', userId)
  }
}

const chainsAtOnce = 500

const checkAll = async (
  files: LedgerFile[],
  client: pg.ClientBase | undefined,
): Promise<Checked> => {
  const progress = createProgress()
  const checked: Checked = { proven: 0, faults: new Map(), notes: new Map() }
  let [list, users]: [Chain[], number] = [[], 0]
  const compare = async () => {
    if (client && list.length > 0) await checkRows(client, list, checked)
    list = []
  }
  for await (const chain of readChains(files)) {
    checkChain(chain, checked)
    users += 1
    progress('Proving users', users)
    list.push(chain)
    if (list.length >= chainsAtOnce) await compare()
  }
  await compare()
  return checked
}

const format = (count: number) => count.toLocaleString('en')

const describe = (found: Found): string[] =>
  [...found].map(
    ([what, { count, users }]) =>
      `${format(count)} users ${what}: ${users.join(', ')}${count > users.length ? ', …' : ''}`,
  )

const openFiles = async (paths: string[]): Promise<{ path: string; file: LedgerFile }[]> => {
  const opened = []
  for (const path of paths) opened.push({ path, file: naming(path, await openNamed(path)) })
  return opened.sort((a, b) => a.file.until.getTime() - b.file.until.getTime())
}

const openNamed = async (path: string): Promise<LedgerFile> => {
  try {
    return await openLedgerFile(path)
  } catch (error) {
    throw named(path, error)
  }
}

const named = (path: string, error: unknown): unknown =>
  error instanceof LedgerFileError ? new CommandError(`${path} ${error.message}.`) : error

/** Begins the errors of a file with its path. */
const naming = (path: string, file: LedgerFile): LedgerFile => {
  const segments = async function* () {
    try {
      yield* file.segments
    } catch (error) {
      throw named(path, error)
    }
  }
  return { ...file, segments: segments() }
}

await runCommand('ledger verify', usage, async () => {
  const options = { offline: { type: 'boolean' }, complete: { type: 'boolean' } } as const
  const { values, positionals } = readArguments(options, ['FILE'], true)
  if (values.complete && values.offline)
    throw new UsageError('--complete compares with the database, which --offline leaves out')
  const files = await openFiles(positionals)
  const database = values.offline ? undefined : await openDatabase(readConfig())
  const client = await database?.direct.connect()
  try {
    const { proven, faults, notes } = await checkAll(
      files.map(({ file }) => file),
      client,
    )
    endProgress()
    for (const { path, file } of files) {
      const { entries, users, sha256 } = file.foot()
      console.log(
        `ok      ${path}: ${format(entries)} entries of ${format(users)} users from before ${file.until.toISOString()}, SHA-256 ${sha256}`,
      )
    }
    for (const line of describe(notes)) console.log(`note    ${line}`)
    for (const line of describe(faults)) console.log(`BROKEN  ${line}`)
    let isWell = faults.size === 0
    if (client) {
      const text = 'SELECT count(*)::float8 AS n FROM ledger_checkpoint'
      const all = (await client.query({ text })).rows[0].n
      const isFault = values.complete && proven < all
      if (isFault) isWell = false
      console.log(
        `${isFault ? 'BROKEN  ' : ''}${format(proven)} of ${format(all)} checkpoints of the database are what the files say.`,
      )
    }
    process.exitCode = isWell ? 0 : 1
  } finally {
    client?.release()
    await database?.close()
  }
})
