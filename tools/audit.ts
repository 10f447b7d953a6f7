/** `npm run audit`: checks the invariants of the data on the configured database. Changes nothing. */
import { readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import { readArguments, runCommand } from './command.ts'
import { audit } from './invariants.ts'

const usage = 'tessera audit   checks the invariants of the data; changes nothing'

await runCommand('audit', usage, async () => {
  readArguments({})
  const database = await openDatabase(readConfig())
  try {
    const broken = await audit(database.pool, (name, count) =>
      console.log(
        `${count === 0 ? 'ok    ' : 'BROKEN'}  ${name}${count === 0 ? '' : `: ${count} rows`}`,
      ),
    )
    console.log(broken === 0 ? 'Nothing is broken.' : `${broken} promises are broken.`)
    process.exitCode = broken === 0 ? 0 : 1
  } finally {
    await database.close()
  }
})
