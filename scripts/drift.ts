/** Finds differences between the Prisma schema and the migrations, on a scratch database in memory. */
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { inOneScript } from '../src/kit/database/migrate.ts'
import { filters, migrationsList, schemaFiles, withEngine } from './engine.ts'

/** This adapter supports all catalog types, which the engine reads, but does not await scripts. */
const scratchAdapter = () => {
  const connect = async () => {
    const scratch = await PGlite.create()
    const adapter = await new PrismaPGlite(scratch).connect()
    return Object.assign(adapter, {
      executeScript: async (script: string) => void (await scratch.exec(inOneScript(script))),
      getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
      dispose: () => scratch.close(),
    })
  }
  return {
    provider: 'postgres' as const,
    adapterName: 'scratch',
    connect,
    connectToShadowDb: connect,
  }
}

/**
 * Relations of the Prisma schema that the database does not check for each row, because the statements that write them
 * prove them (decision 0189).
 */
const provenKeys = ['ledger_entry_user_id_fkey', 'user_activity_user_id_fkey', 'play_user_id_fkey']

const addsProvenKey = (part: string) =>
  provenKeys.some((name) => part.startsWith('-- AddForeignKey') && part.includes(`"${name}"`))

/** SQL that changes a migrated database to the current Prisma schema; empty if they match. */
export const schemaDrift = (): Promise<string> =>
  withEngine(scratchAdapter(), async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationsList() },
      to: { tag: 'schemaDatamodel', files: schemaFiles() },
      script: true,
      exitCode: null,
      filters,
    })
    const parts = (stdout ?? '').split(/\n(?=-- )/).filter((part) => !addsProvenKey(part))
    const sql = parts.join('\n').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  })
