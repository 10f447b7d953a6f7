/** `npm run audit`: checks the invariants of the data on the configured database. Changes nothing. */
import { readConfig } from '../kit/config/config.ts'
import { openDatabase } from '../kit/database/db.ts'
import { audit } from './audit/invariants.ts'
import { onWait, readArguments, runCommand } from './command.ts'

const usage = 'tessera audit   checks the invariants of the data; changes nothing'

const unlimited = { statementMs: 0, idleTransactionMs: 0, answerMs: Number.POSITIVE_INFINITY }

await runCommand('audit', usage, async () => {
  readArguments({})
  const config = readConfig()
  // Checks of large tables exceed the usual time limits.
  const databaseLimits = { ...config.databaseLimits, ...unlimited }
  const database = await openDatabase({ ...config, databaseLimits, onWait })
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN')
    const broken = await audit(client, (name, count) =>
      console.log(
        `${count === 0 ? 'ok    ' : 'BROKEN'}  ${name}${count === 0 ? '' : `: ${count} rows`}`,
      ),
    )
    await client.query('ROLLBACK')
    console.log(broken === 0 ? 'Nothing is broken.' : `${broken} promises are broken.`)
    process.exitCode = broken === 0 ? 0 : 1
  } finally {
    client.release()
    await database.close()
  }
})
