/** `npm run audit`: checks the invariants of the data on the configured database. Changes nothing. */
import { readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import { audit } from './invariants.ts'

const database = await openDatabase(readConfig())
const broken = await audit(database.pool, (name, count) =>
  console.log(
    `${count === 0 ? 'ok    ' : 'BROKEN'}  ${name}${count === 0 ? '' : `: ${count} rows`}`,
  ),
)
await database.close()
console.log(broken === 0 ? 'Nothing is broken.' : `${broken} promises are broken.`)
process.exitCode = broken === 0 ? 0 : 1
