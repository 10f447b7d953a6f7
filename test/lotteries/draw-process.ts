/** Runs one draw in small steps and prints its progress: `DRAW MESSAGES DELAY_MS`. Kills itself after so many messages. */
import { systemClock } from '../../src/core/clock.ts'
import { readConfig } from '../../src/core/config.ts'
import { openDatabase } from '../../src/core/db/db.ts'
import { openPepper } from '../../src/core/pepper.ts'
import { cryptoRandom } from '../../src/core/random.ts'
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
  steps: { nodes: 1, tickets: 1_000 },
  report: ({ status, root, settled }) => {
    console.log(`at ${status} ${root ? 'rooted' : ''} ${settled}`)
    if (++said === Number(messages))
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delayMs))
  },
})
await close()
console.log('done')
