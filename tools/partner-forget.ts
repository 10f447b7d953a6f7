/** `tessera partner forget`: deletes the remaining rows of a partner who has moved to another cell. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, readArguments, runCommand } from './command.ts'
import { dropFence, withoutTriggers } from './partner-fence.ts'
import { findStanding, openOwnCell } from './partner-places.ts'
import { deleteRows } from './partner-rows.ts'
import { signposts } from './partner-tables.ts'
import { createProgress, endProgress } from './progress.ts'

const usage = `tessera partner forget SLUG

Deletes the rows of a partner who has moved to another cell, in small steps, while the nodes serve. Their name and their keys
remain, so that requests still lead to the other cell. Signed-in members sign in again at their cell.`

await runCommand('partner forget', usage, async () => {
  const { positionals } = readArguments({}, ['SLUG'])
  const slug = positionals[0] as string
  const { cell } = await openOwnCell()
  const { control } = cell
  try {
    const partner = await findStanding(control, 'slug', slug)
    if (!partner) throw new CommandError(`There is no partner ${slug}.`)
    if (partner.move !== 'MOVED')
      throw new CommandError(`${partner.name} has not moved away. Nothing was deleted.`)
    const inStep = async (step: () => Promise<number>) => {
      const startedAt = performance.now()
      await control.query('BEGIN')
      try {
        await withoutTriggers(control)
        const deleted = await step()
        await control.query('COMMIT')
        // Requests have at least half of the database's time.
        if (deleted > 0) await sleep(performance.now() - startedAt)
        return deleted
      } catch (error) {
        await control.query('ROLLBACK').catch(() => {})
        throw error
      }
    }
    const progress = createProgress()
    const deleted = await deleteRows(control, {
      ...{ partnerId: partner.id, except: signposts },
      ...{ inStep, progress },
    })
    await dropFence(control, partner.id)
    endProgress()
    console.log(
      `Deleted ${deleted.toLocaleString('en')} rows of ${partner.name}. Their keys lead to the cell ${partner.cell}.`,
    )
  } finally {
    await cell.close()
  }
})
