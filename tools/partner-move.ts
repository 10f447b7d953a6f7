/** `tessera partner move`: moves one partner to another cell. Only they wait, for as long as their rows are copied. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { defaultCellName, isCellName } from '../src/core/cell.ts'
import { CommandError, readArguments, runCommand, UsageError } from './command.ts'
import { audit } from './invariants.ts'
import { dropFence, raiseFence, withoutTriggers } from './partner-fence.ts'
import {
  type Cell,
  findStanding,
  openOtherCell,
  openOwnCell,
  refuseOccupied,
  refuseShared,
  refuseStrangers,
  type Standing,
} from './partner-places.ts'
import { beginReading, copyPartner, deleteRows, findOrphans, showOnly } from './partner-rows.ts'
import { signposts, writtenLate } from './partner-tables.ts'
import { createProgress, endProgress, type Progress } from './progress.ts'

const usage = `tessera partner move SLUG --to URL --to-cell NAME

Moves a partner from the cell of the settings to the one whose database is at URL and whose CELL is NAME (${defaultCellName} for the
one without). Their writes are refused while their rows are copied; other partners notice nothing. A command that was
interrupted continues when it is run again.

  --cancel   take a move back that has not been completed`

/** Longer than nodes cache keys and sign-ins. From then on they ask for each request of the partner. */
const cachedMs = 5_000
/** Requests that were admitted before have been written. */
const admittedMs = 500

const setMove = (client: pg.ClientBase, id: string, move: string | null, cell: string | null) =>
  client.query({
    text: 'UPDATE partner SET move = $2::"PartnerMove", cell = $3 WHERE id = $1',
    values: [id, move, cell],
  })

const inTransaction = async <T>(client: pg.ClientBase, run: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN')
  try {
    const result = await run()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Events of the other cell continue above all positions that readers of the partner have seen, also after a rollback. */
const continueFeed = async (source: pg.ClientBase, target: pg.ClientBase): Promise<void> => {
  const [{ last }] = (
    await source.query({ text: 'SELECT last_value::text AS last FROM feed_position' })
  ).rows
  await target.query({
    // The margin is for positions that others take in the meantime.
    text: `SELECT setval('feed_position', $1::bigint + 1000000) FROM feed_position WHERE last_value < $1::bigint`,
    values: [last],
  })
}

const verify = async (target: pg.ClientBase, id: string, progress: Progress): Promise<void> => {
  progress('Checking the guarantees')
  const orphans = await findOrphans(target, id)
  if (orphans.length > 0)
    throw new CommandError(
      `Rows refer to rows that do not move: ${orphans.join(', ')}. Nothing was moved.`,
    )
  await target.query('SAVEPOINT audit')
  await showOnly(target, id)
  const broken: string[] = []
  await audit(target, (name, count) => void (count > 0 && broken.push(name)))
  await target.query('ROLLBACK TO audit')
  if (broken.length > 0)
    throw new CommandError(
      `The partner's rows break ${broken.length} guarantees; nothing was moved: ${broken[0]}`,
    )
}

/** Deletes what an interrupted move, or one in the other direction, has left in a cell. */
const clear = async (client: pg.ClientBase, id: string, progress: Progress): Promise<void> => {
  const left = await findStanding(client, 'id', id)
  if (left?.move === 'MOVED')
    for (const name of [...writtenLate, ...[...signposts].reverse()])
      await client.query({
        text: `DELETE FROM ${name} WHERE ${name === 'partner' ? 'id' : 'partner_id'} = $1`,
        values: [id],
      })
  else if (left) await deleteRows(client, { partnerId: id, inStep: (step) => step(), progress })
}

/** Copies everything in one transaction of the other cell. What an interrupted move has left there is replaced. */
const copy = async (
  own: Cell,
  other: Cell,
  { id }: Standing,
  progress: Progress,
): Promise<number> => {
  const { control: target } = other
  await beginReading(own.reader)
  try {
    return await inTransaction(target, async () => {
      await withoutTriggers(target)
      await clear(target, id, progress)
      const rows = await copyPartner(own.reader, target, { partnerId: id, progress })
      await continueFeed(own.reader, target)
      await verify(target, id, progress)
      await setMove(target, id, 'ARRIVING', null)
      return rows
    })
  } finally {
    await own.reader.query('ROLLBACK').catch(() => {})
  }
}

const noteMove = (client: pg.ClientBase, { id }: Standing) =>
  client.query({
    text: `INSERT INTO audit_entry (id, partner_id, at, actor_kind, address, request_id, action, target_type, target_id, changes)
      VALUES (gen_random_uuid(), $1, now(), 'SYSTEM', '', '', 'movePartner', 'Partner', $1, '[]')`,
    values: [id],
  })

/** The last step, after which the other cell serves the partner. */
const openThere = async (other: Cell, partner: Standing): Promise<void> => {
  await inTransaction(other.control, async () => {
    await noteMove(other.control, partner)
    await setMove(other.control, partner.id, null, null)
  })
}

const move = async (own: Cell, other: Cell, partner: Standing, cell: string): Promise<string> => {
  const { control } = own
  const { id, name } = partner
  const progress = createProgress()
  if (partner.move === 'MOVED') {
    const there = await findStanding(other.control, 'id', id)
    if (partner.cell !== cell || !there)
      throw new CommandError(`${name} has moved to the cell ${partner.cell}.`)
    if (there.move === 'ARRIVING') await openThere(other, partner)
    return `${name} is served by the cell ${cell}.`
  }
  await refuseShared(control, partner)
  await refuseOccupied(other.control, partner)
  await inTransaction(other.control, () => withoutTriggers(other.control))
  if (partner.move !== 'HELD') {
    progress('Announcing the move to all nodes')
    await setMove(control, id, 'LEAVING', cell)
    await sleep(cachedMs)
  }
  const heldAt = performance.now()
  await setMove(control, id, 'HELD', cell)
  progress('Holding writes of the partner')
  await sleep(admittedMs)
  await raiseFence(control, id)
  // What was counted as shared could have been made meanwhile.
  await refuseShared(control, partner)
  const rows = await copy(own, other, partner, progress)
  progress('Opening the other cell')
  await setMove(control, id, 'MOVED', cell)
  await openThere(other, partner)
  endProgress()
  const seconds = ((performance.now() - heldAt) / 1000).toFixed(1)
  return `Moved ${rows.toLocaleString('en')} rows of ${name} to the cell ${cell}. Their writes waited for ${seconds} s. Counts and checksums are the same, and the audit found nothing broken. Keys of before lead there. tessera partner forget deletes what is left here.`
}

const cancel = async (own: Cell, other: Cell, { id, name, move }: Standing): Promise<string> => {
  if (move === 'MOVED')
    throw new CommandError(`${name} has moved already. Move them back from there instead.`)
  const there = await findStanding(other.control, 'id', id)
  if (there?.move === 'ARRIVING')
    await inTransaction(other.control, async () => {
      await withoutTriggers(other.control)
      await clear(other.control, id, createProgress())
    })
  await dropFence(own.control, id)
  await setMove(own.control, id, null, null)
  endProgress()
  return `${name} stays in this cell, and is written to again.`
}

const readOptions = () => {
  const text = { type: 'string' } as const
  const { values, positionals } = readArguments(
    { to: text, 'to-cell': text, cancel: { type: 'boolean' } },
    ['SLUG'],
  )
  const { to, 'to-cell': cell = '' } = values
  if (!to) throw new UsageError('--to is missing')
  if (!values.cancel && cell !== defaultCellName && !isCellName(cell))
    throw new UsageError(`--to-cell must be the CELL of the other cell, or ${defaultCellName}`)
  return { slug: positionals[0] as string, to, cell, isCancelled: values.cancel }
}

/** One command at a time moves a partner. The lock ends with the connection. */
const takeTurn = async (client: pg.ClientBase, { id, name }: Standing): Promise<void> => {
  const text = `SELECT pg_try_advisory_lock('partner'::regclass::oid::int, hashtext($1)) AS mine`
  if (!(await client.query({ text, values: [id] })).rows[0].mine)
    throw new CommandError(`Another command moves ${name}.`)
}

await runCommand('partner move', usage, async () => {
  const { slug, to, cell, isCancelled } = readOptions()
  const { cell: own, masterKeys } = await openOwnCell()
  try {
    const other = await openOtherCell(to)
    try {
      await refuseStrangers(own, other, masterKeys)
      const partner = await findStanding(own.control, 'slug', slug)
      if (!partner) throw new CommandError(`There is no partner ${slug}.`)
      if (partner.move === 'ARRIVING')
        throw new CommandError(
          `${partner.name} is about to arrive here; complete that move before.`,
        )
      await takeTurn(own.control, partner)
      const known = (await findStanding(own.control, 'slug', slug)) as Standing
      console.log(await (isCancelled ? cancel(own, other, known) : move(own, other, known, cell)))
    } finally {
      await other.close()
    }
  } finally {
    await own.close()
  }
})
