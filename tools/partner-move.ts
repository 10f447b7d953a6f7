/** `tessera partner move`: moves one partner to another cell. Only they wait, while their last writes are taken over. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { defaultCellName, isCellName } from '../src/core/cell.ts'
import { readConfig } from '../src/core/config.ts'
import { CommandError, readArguments, runCommand, UsageError } from './command.ts'
import { catchUp, checkAll, checkCopy, complete, copyAhead, type Ends } from './partner-copy.ts'
import { dropFence, raiseFence, withoutTriggers } from './partner-fence.ts'
import { dropNotes, raiseNotes } from './partner-notes.ts'
import {
  type Cell,
  findStanding,
  openOtherCell,
  openOwnCell,
  refuseOccupied,
  refuseShared,
  refuseStrangers,
  type Standing,
  setMove,
} from './partner-places.ts'
import { deleteRows, inTransaction } from './partner-rows.ts'
import { signposts } from './partner-tables.ts'
import { createProgress, endProgress } from './progress.ts'
import { requireTargetUrl } from './target-url.ts'

const usage = `TARGET_DATABASE_URL_FILE=FILE tessera partner move SLUG --to-cell NAME

Moves a partner from the cell of the settings to the one whose database is at TARGET_DATABASE_URL and whose CELL is NAME (${defaultCellName} for the
one without). They are served while their rows are copied, and their writes are refused for a moment at the end. Other
partners notice nothing. A command that was interrupted continues when it is run again.

  --cancel   take a move back that has not been completed`

/** Longer than nodes cache keys and sign-ins. From then on they ask for each request of the partner. */
const cachedMs = 5_000
/** Requests that were admitted before are finished after this time. */
const admittedMs = 500

const homeName = () => readConfig().cell ?? defaultCellName

const noteMove = (client: pg.ClientBase, { id }: Standing) =>
  client.query({
    text: `INSERT INTO audit_entry (id, partner_id, at, actor_kind, address, request_id, action, target_type, target_id, changes)
      VALUES (gen_random_uuid(), $1, now(), 'SYSTEM', '', '', 'movePartner', 'Partner', $1, '[]')`,
    values: [id],
  })

/** The last step, after which the other cell serves the partner. */
const openThere = async (other: Cell, partner: Standing): Promise<void> => {
  await inTransaction(other.control, async () => {
    await setMove(other.control, partner.id, { move: null, cell: null })
    await noteMove(other.control, partner)
  })
}

/** Removes triggers and notes once a move is over. */
const tidy = async (own: Cell, other: Cell, { id }: Standing): Promise<void> => {
  await dropNotes(own.control, id)
  await dropFence(other.control, id)
  await other.control.query({
    text: 'DELETE FROM copied_table WHERE partner_id = $1',
    values: [id],
  })
}

/** Copies the partner while they are served. @returns the moment that the copy is of */
const prepare = async (ends: Ends, { id, move }: Standing, cell: string): Promise<string> => {
  const { own, other, progress } = ends
  progress('Announcing the move to all nodes')
  await setMove(own.control, id, { move: 'LEAVING', cell })
  // An interrupted command has left the partner held.
  if (move === 'HELD') await dropFence(own.control, id)
  await sleep(cachedMs)
  const notedBy = await raiseNotes(own.control, id)
  await raiseFence(other.control, id, 'until opened')
  await copyAhead(ends, notedBy)
  const copiedAt = await catchUp(ends, null)
  await checkCopy(ends)
  return catchUp(ends, copiedAt)
}

const move = async (own: Cell, other: Cell, partner: Standing, cell: string): Promise<string> => {
  const { control } = own
  const { id, name } = partner
  const there = await findStanding(other.control, 'id', id)
  if (partner.move === 'MOVED') {
    if (partner.cell !== cell || !there)
      throw new CommandError(`${name} has moved to the cell ${partner.cell}.`)
    if (there.move === 'ARRIVING') await openThere(other, partner)
    await tidy(own, other, partner)
    return `${name} is served by the cell ${cell}.`
  }
  if (partner.move && partner.cell !== cell)
    throw new CommandError(
      `${name} is on the way to the cell ${partner.cell}; take that back by --cancel before.`,
    )
  await refuseShared(control, partner)
  await refuseOccupied(other.control, partner)
  await inTransaction(other.control, () => withoutTriggers(other.control))
  const progress = createProgress()
  const ends = { own, other, partnerId: id, home: there?.cell ?? homeName(), progress }
  const preparedAt = await prepare(ends, partner, cell)
  const heldAt = performance.now()
  progress('Holding writes of the partner')
  await setMove(control, id, { move: 'HELD', cell })
  await sleep(admittedMs)
  await raiseFence(control, id, 'always')
  // Something shared could have been created meanwhile.
  await refuseShared(control, partner)
  await complete(ends, preparedAt)
  progress('Opening the other cell')
  await setMove(control, id, { move: 'MOVED', cell })
  await openThere(other, partner)
  const waited = `The cell ${cell} serves ${name}. Their writes waited for ${((performance.now() - heldAt) / 1000).toFixed(1)} s.`
  const rows = await checkAll(ends)
    .catch((error) => {
      if (!(error instanceof CommandError)) throw error
      throw new CommandError(
        `${waited} But the copy is not what it should be, and the old cell still has all rows: ${error.message}`,
      )
    })
    .finally(() => tidy(own, other, partner))
  endProgress()
  return `Moved ${rows.toLocaleString('en')} rows. ${waited} Counts and checksums are the same, and the audit found nothing broken. Keys of before lead there. tessera partner forget deletes what is left here.`
}

/** Deletes the copied rows, and leaves signposts home. */
const clear = async (other: Cell, { id }: Standing, home: string): Promise<void> => {
  const { control } = other
  const inStep = (step: () => Promise<number>) =>
    inTransaction(control, async () => {
      await withoutTriggers(control)
      return step()
    })
  const progress = createProgress()
  await deleteRows(control, { partnerId: id, except: signposts, inStep, progress })
  await setMove(control, id, { move: 'MOVED', cell: home })
  endProgress()
}

const cancel = async (own: Cell, other: Cell, partner: Standing): Promise<string> => {
  const { id, name, move } = partner
  if (move === 'MOVED')
    throw new CommandError(`${name} has moved already. Move them back from there instead.`)
  await setMove(own.control, id, { move: null, cell: null })
  await dropFence(own.control, id)
  // From here on no command treats the copied tables as complete.
  await tidy(own, other, partner)
  const there = await findStanding(other.control, 'id', id)
  if (there?.move === 'ARRIVING') await clear(other, partner, there.cell ?? homeName())
  return `${name} stays in this cell, and is written to again.`
}

const readOptions = () => {
  const text = { type: 'string' } as const
  const { values, positionals } = readArguments(
    { to: text, 'to-cell': text, cancel: { type: 'boolean' } },
    ['SLUG'],
  )
  const { 'to-cell': cell = '' } = values
  const to = requireTargetUrl(values.to)
  if (!values.cancel && cell !== defaultCellName && !isCellName(cell))
    throw new UsageError(`--to-cell must be the CELL of the other cell, or ${defaultCellName}`)
  return { slug: positionals[0] as string, to, cell, isCancelled: values.cancel }
}

/** Only one command at a time moves a partner. The lock ends with the connection. */
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
