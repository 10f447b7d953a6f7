/** Runs one draw in small steps and prints its progress: `DRAW MESSAGES DELAY_MS`. Kills itself after so many messages. */

import { openPepper } from '../../src/kit/access/pepper.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { cryptoRandom } from '../../src/kit/random.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'

const config = readConfig()
const { db, close } = await openDatabase(config)
const pepper = await openPepper(db, systemClock, config.masterKeys)
const keys = { master: config.masterKeys, pepper }
const work = { tx: db, clock: systemClock, random: cryptoRandom, keys, singletons: new Map() }
const [, , drawId, messages, delayMs] = process.argv
let said = 0
await runDraw(work, drawId as string, {
  early: true,
  steps: { nodes: 1, tickets: 500 },
  report: ({ status, root, settled }) => {
    console.log(`at ${status} ${root ? 'rooted' : ''} ${settled}`)
    if (++said === Number(messages))
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delayMs))
  },
})
await close()
console.log('done')
