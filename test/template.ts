import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statementFolder } from './database/statements.ts'
import { createFolder } from './folder.ts'
import { administer, onPostgres, postgresUrl } from './postgres.ts'

/** Migrates a database once for the whole run; each database of a test is a copy of it. */
export const setup = async () => {
  rmSync(statementFolder, { recursive: true, force: true })
  const folder = createFolder('run')
  // Temporary files of all tests and their processes. PostgreSQL runs as another user and has some of them.
  const temporary = mkdtempSync(join(tmpdir(), 'tessera-tests-'))
  chmodSync(temporary, 0o755)
  process.env.TMPDIR = temporary
  process.env.TEST_FOLDER = folder
  process.env.TEST_TEMPLATE = createFolder('template')
  process.env.TEST_PREFIX = `tessera_test_${randomUUID().slice(0, 8)}`
  const prefix = process.env.TEST_PREFIX
  if (onPostgres) await administer(`CREATE DATABASE ${prefix}`)
  for (const databaseUrl of onPostgres ? ['', `${postgresUrl}/${prefix}`] : [''])
    execFileSync(process.execPath, ['src/cli/migrate.ts'], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        DATABASE_URL: databaseUrl,
        DATA_DIR: process.env.TEST_TEMPLATE,
      },
    })
  return async () => {
    for (const path of [folder, temporary])
      rmSync(path, { recursive: true, force: true, maxRetries: 10 })
    if (!onPostgres) return
    const left = `SELECT datname AS name FROM pg_database WHERE datname LIKE '${prefix}%'`
    for (const { name } of await administer(left))
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}
