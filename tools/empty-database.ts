/** Makes the empty database that a first start copies. Part of `npm run build`. */
import { rmSync } from 'node:fs'
import { openDatabase } from '../src/core/db/db.ts'
import { emptyDatabase } from '../src/core/db/empty-database.ts'
import { makeJobsSchema } from '../src/core/db/jobs-schema.ts'
import { migrate } from '../src/core/db/migrate.ts'

rmSync(emptyDatabase, { recursive: true, force: true })
const database = await openDatabase({ dataDir: emptyDatabase, databaseUrl: undefined })
await migrate(database.direct)
await makeJobsSchema(database.direct)
await database.close()
