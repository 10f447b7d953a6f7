/**
 * `npm run seed`: creates the demo partner on a database without partners. Outside production, the server does the
 * same.
 */
import { systemClock } from '../src/core/clock.ts'
import { readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import { migrate } from '../src/core/db/migrate.ts'
import { openPepper } from '../src/core/pepper.ts'
import { cryptoRandom } from '../src/core/random.ts'
import { seedDemo, writeDemo } from '../src/demo/demo.ts'

const config = readConfig()
const database = await openDatabase(config)
await migrate(database.direct)
const { db } = database
const pepper = await openPepper(db, systemClock, config.masterKeys)
const keys = { master: config.masterKeys, pepper }
const demo = await seedDemo({
  tx: db,
  clock: systemClock,
  random: cryptoRandom,
  keys,
  singletons: new Map(),
  config,
})
console.log(
  demo
    ? `Made the demo partner; its keys are in ${writeDemo(config.dataDir, demo)}`
    : 'The database has partners already: nothing was made.',
)
await database.close()
