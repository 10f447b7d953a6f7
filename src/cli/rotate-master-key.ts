/**
 * `npm run rotate-master-key`: re-seals all values under the first of MASTER_KEYS, and shows whether the others can
 * be removed.
 */
import { countOutdatedTokens, rotateMasterKey } from '../master-key-rotation.ts'
import { readArguments, runCommand, withDatabase } from './command.ts'

const usage = 'tessera rotate-master-key   re-seals everything under the first of MASTER_KEYS'

await runCommand('rotate-master-key', usage, async () => {
  readArguments({})
  await withDatabase(async ({ db, config, clock }) => {
    const [{ version }] = config.masterKeys
    const { resealed, unreadable, freed } = await rotateMasterKey(
      { db, config },
      ({ column, done, stale }) => console.log(`${column}: ${done} of ${stale}`),
    )
    console.log(`${resealed} values were re-sealed under version ${version}.`)
    if (unreadable > 0) {
      console.log(
        `${unreadable} values cannot be opened by any key that is set. Nothing can be taken out.`,
      )
      process.exitCode = 1
    } else {
      const { signIns, sessions, lastEndsAt } = await countOutdatedTokens({ db, config, clock })
      console.log(
        freed.length > 0
          ? `No stored value needs version ${freed.join(' or ')} any more: take it out of MASTER_KEYS on every node.`
          : 'No stored value needs another version.',
      )
      if (lastEndsAt)
        console.log(
          `Taken out now, ${signIns} members must sign in again and the players of ${sessions} sessions must join again; nobody after ${lastEndsAt.toISOString()}.`,
        )
    }
  })
})
