/** Makes the empty database that a first start copies. Part of `npm run build`. */
import { rmSync } from 'node:fs'
import { openDatabase } from '../src/kit/database/db.ts'
import { makeJobsSchema } from '../src/kit/database/jobs-schema.ts'
import { migrate } from '../src/kit/database/migrate.ts'
import { emptyDatabase } from '../src/kit/embedded/embedded-pool.ts'

rmSync(emptyDatabase, { recursive: true, force: true })
const database = await openDatabase({ dataDir: emptyDatabase, databaseUrl: undefined })
await migrate(database.direct)
await makeJobsSchema(database.direct)
await database.close()
