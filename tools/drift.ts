/** What the Prisma schema says and the migrations do not, found on a scratch database in memory. */
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { filters, migrationsList, schemaFiles, withEngine } from './engine.ts'

/** This adapter knows all catalogue types, which the engine reads; its scripts were not awaited. */
const scratchAdapter = () => {
  const connect = async () => {
    const scratch = await PGlite.create()
    const adapter = await new PrismaPGlite(scratch).connect()
    return Object.assign(adapter, {
      executeScript: async (script: string) => void (await scratch.exec(script)),
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

/** SQL that leads from the migrations to the Prisma schema of today; empty when they agree. */
export const schemaDrift = (): Promise<string> =>
  withEngine(scratchAdapter(), async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationsList() },
      to: { tag: 'schemaDatamodel', files: schemaFiles() },
      script: true,
      exitCode: null,
      filters,
    })
    const sql = (stdout ?? '').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  })
