/** The copy of a partner in another cell: made ahead while they are served, completed while they are held, and checked. */
import type pg from 'pg'
import { CommandError } from './command.ts'
import { copySettings } from './copy-database.ts'
import { refuseOrphans, verifyPartner } from './partner-checks.ts'
import { withoutTriggers } from './partner-fence.ts'
import { type NotedBy, notedKeys, readNoted } from './partner-notes.ts'
import { type Cell, setMove } from './partner-places.ts'
import {
  beginReading,
  compare,
  copyRows,
  deletionOf,
  inBatches,
  inTransaction,
  readSum,
  rowsOf,
} from './partner-rows.ts'
import { type PartnerTable, readPartnerTables, signposts } from './partner-tables.ts'
import type { Progress } from './progress.ts'

export type Ends = {
  own: Cell
  other: Cell
  partnerId: string
  /** The cell that serves the partner until the copy is complete. */
  home: string
  progress: Progress
}

/** @throws CommandError when the tables are not those of the source */
const refuseOthers = (sources: PartnerTable[], targets: PartnerTable[]): void => {
  const shapes = (tables: PartnerTable[]) =>
    JSON.stringify(tables.map(({ name, shape }) => [name, shape]))
  if (shapes(sources) !== shapes(targets))
    throw new CommandError(
      'The two cells are of different versions. Nothing was moved; deploy the same version in both before.',
    )
}

/** In a transaction of each end: the source as of now, and the target without triggers. */
const betweenEnds = async <T>({ own, other }: Ends, run: () => Promise<T>): Promise<T> => {
  await beginReading(own.reader)
  return inTransaction(other.control, async () => {
    await withoutTriggers(other.control)
    await other.control.query(copySettings)
    return run()
  })
}

const endReading = (client: pg.ClientBase) => client.query('ROLLBACK').catch(() => {})

const readCopied = async (client: pg.ClientBase, partnerId: string): Promise<NotedBy> => {
  const text = `SELECT table_name AS name, noted_by::text AS by FROM copied_table WHERE partner_id = $1`
  const { rows } = await client.query({ text, values: [partnerId] })
  return new Map(rows.map(({ name, by }) => [name, by]))
}

const noteCopied = (client: pg.ClientBase, partnerId: string, name: string, by: string) =>
  client.query({
    text: `INSERT INTO copied_table (partner_id, table_name, noted_by) VALUES ($1, $2, $3)
      ON CONFLICT (partner_id, table_name) DO UPDATE SET noted_by = excluded.noted_by`,
    values: [partnerId, name, by],
  })

/**
 * Groups of tables that are copied from one snapshot: the signposts, because keys must lead to the partner's home at
 * all times; and a table together with those whose rows are the partner's through it.
 */
export const copiedTogether = (tables: PartnerTable[]): PartnerTable[][] => {
  const isSignpost = ({ root }: PartnerTable) => signposts.includes(root)
  const others = tables.filter((table) => !isSignpost(table))
  return [tables.filter(isSignpost), ...Map.groupBy(others, ({ root }) => root).values()]
}

/**
 * Copies all tables while the partner is served, and compares them. A table that an interrupted
 * command has copied is left out, because its changes have been noted since.
 */
export const copyAhead = async (ends: Ends, notedBy: NotedBy): Promise<void> => {
  const { own, other, partnerId, home, progress } = ends
  const [source, target] = [own.reader, other.control]
  const tables = await readPartnerTables(own.control)
  refuseOthers(tables, await readPartnerTables(target))
  const copied = await readCopied(target, partnerId)
  let done = 0
  const copyTable = async (table: PartnerTable) => {
    const { name, owned } = table
    const rows = rowsOf(table)
    // Rows left by an earlier move.
    await target.query({ text: `DELETE FROM ${name} t WHERE ${owned}`, values: [partnerId] })
    await copyRows({ source, target }, table, { rows, partnerId }, (count) => {
      done += count
      progress('Copying rows', done)
    })
    const sums = [source, target].map((client) => readSum(client, table, rows, partnerId))
    const [expected, found] = await Promise.all(sums)
    compare(table, expected as never, found as never)
    await noteCopied(target, partnerId, name, notedBy.get(name) as string)
  }
  for (const group of copiedTogether(tables)) {
    if (group.every(({ name }) => copied.get(name) === notedBy.get(name))) continue
    progress('Copying rows', done)
    await betweenEnds(ends, async () => {
      for (const table of group) await copyTable(table)
      await setMove(target, partnerId, { move: 'ARRIVING', cell: home })
    }).finally(() => endReading(source))
    // Without statistics, the checks would be planned for an empty table.
    await target.query(`ANALYZE ${group.map(({ name }) => name).join(', ')}`)
  }
}

/** Events of the other cell continue above all positions that readers of the partner have seen, also after a rollback. */
const continueFeed = async ({ own, other }: Ends): Promise<void> => {
  const [{ last }] = (
    await own.reader.query({ text: 'SELECT last_value::text AS last FROM feed_position' })
  ).rows
  await other.control.query({
    // The margin is for positions that others take in the meantime.
    text: `SELECT setval('feed_position', $1::bigint + 1000000) FROM feed_position WHERE last_value < $1::bigint`,
    values: [last],
  })
}

/** The keys that a round takes over, in the target. */
const keysHere = ({ name }: PartnerTable) =>
  `SELECT key FROM moved_key WHERE table_name = '${name}'`

/**
 * Replaces the rows that have been written since a snapshot, or since their table was copied, by what the source has now.
 * Both ends are compared. The transaction of the source is still open afterwards.
 * @param finish the last steps in the transaction of the target
 * @returns how many rows, and the snapshot
 */
const takeOver = async (
  ends: Ends,
  since: string | null,
  finish: (tables: PartnerTable[]) => Promise<unknown>,
): Promise<{ count: number; snapshot: string }> => {
  const { own, other, partnerId } = ends
  const [source, target] = [own.reader, other.control]
  const values = [partnerId]
  await own.control.query('ANALYZE written_row')
  return betweenEnds(ends, async () => {
    const text = 'SELECT pg_current_snapshot()::text AS snapshot'
    const [{ snapshot }] = (await source.query({ text })).rows
    const noted = await readNoted(source, partnerId, since)
    const tables = (await readPartnerTables(source)).filter(({ name }) => noted.has(name))
    await target.query('CREATE TEMP TABLE moved_key (table_name text, key jsonb) ON COMMIT DROP')
    let count = 0
    for (const table of tables) {
      const keys = `SELECT DISTINCT key::text AS line FROM (${notedKeys(table, since)}) n`
      await inBatches(source, { text: keys, values }, async (lines) => {
        const into = 'INSERT INTO moved_key SELECT $2, line::jsonb FROM unnest($1::text[]) line'
        await target.query({ text: into, values: [lines, table.name] })
        count += lines.length
      })
    }
    await target.query('ANALYZE moved_key')
    for (const table of tables.toReversed())
      await target.query({ text: deletionOf(table, keysHere(table)), values })
    for (const table of tables) {
      const rows = rowsOf(table, notedKeys(table, since))
      await copyRows({ source, target }, table, { rows, partnerId }, () => {})
      const expected = await readSum(source, table, rows, partnerId)
      const here = rowsOf(table, keysHere(table))
      compare(table, expected, await readSum(target, table, here, partnerId))
    }
    await continueFeed(ends)
    await finish(tables)
    return { count, snapshot }
  })
}

/** A round that takes longer is followed by another. */
const shortMs = 500
const mostRounds = 10

/**
 * Takes over what has been written, in rounds that become shorter, until one would hold the partner for a moment only.
 * Afterwards the copy is what the partner had at the moment of the last round.
 * @returns the snapshot of that moment
 */
export const catchUp = async (ends: Ends, since: string | null): Promise<string> => {
  const { own, other, partnerId, home, progress } = ends
  let last = since
  for (let round = 1; ; round++) {
    const startedAt = performance.now()
    const arriving = () => setMove(other.control, partnerId, { move: 'ARRIVING', cell: home })
    const { count, snapshot } = await takeOver(ends, last, arriving).finally(() =>
      endReading(own.reader),
    )
    last = snapshot
    progress(`Taking over what was written meanwhile (${count.toLocaleString('en')} rows)`)
    if (performance.now() - startedAt < shortMs || round === mostRounds) return last
  }
}

/**
 * Takes over the last writes of a partner who is held, and begins the transactions in which `checkAll` sees both ends as
 * they are then.
 */
export const complete = async (ends: Ends, since: string): Promise<void> => {
  const { own, other, partnerId } = ends
  try {
    await takeOver(ends, since, async (tables) => {
      const taken = new Set(tables.map(({ name }) => name))
      const none = 'SELECT key FROM moved_key WHERE false'
      const keysOf = (table: PartnerTable) => (taken.has(table.name) ? keysHere(table) : none)
      await refuseOrphans(other.control, partnerId, keysOf)
      await setMove(other.control, partnerId, { move: 'ARRIVING', cell: null })
    })
    await other.reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copySettings}; SELECT 1`)
  } catch (error) {
    await endReading(own.reader)
    throw error
  }
}

/** Checks all guarantees on the copy. It is a snapshot that nobody writes to. */
export const checkCopy = async ({ other, partnerId, progress }: Ends): Promise<void> => {
  progress('Checking the guarantees')
  await inTransaction(other.control, () => verifyPartner(other.control, partnerId))
}

/**
 * Compares all rows of both ends as they were when the partner was opened, and checks all guarantees. The partner is
 * served meanwhile.
 * @returns the number of rows
 * @throws CommandError with what differs or is broken
 */
export const checkAll = async ({ own, other, partnerId, progress }: Ends): Promise<number> => {
  try {
    let count = 0
    for (const table of await readPartnerTables(own.reader)) {
      progress('Comparing all rows as they were', count)
      const sums = [own, other].map(({ reader }) =>
        readSum(reader, table, rowsOf(table), partnerId),
      )
      const [expected, found] = await Promise.all(sums)
      // The partner's own row says which cell serves them, so it differs.
      if (table.name !== 'partner') compare(table, expected as never, found as never)
      count += found?.rows ?? 0
    }
    progress('Checking the guarantees as they were')
    await verifyPartner(other.reader, partnerId)
    return count
  } finally {
    for (const { reader } of [own, other]) await endReading(reader)
  }
}
