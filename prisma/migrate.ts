/** `npm run migrate`: brings the database of the configuration up to date. The server does the same at start. */
import { readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db.ts'
import { migrate } from '../src/core/migrate.ts'

const database = await openDatabase(readConfig())
const applied = await migrate(database.pool)
console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.')
await database.close()
