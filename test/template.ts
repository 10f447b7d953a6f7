import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { statementFolder } from './database/statements.ts'
import { createFolder } from './folder.ts'

/** Migrates the embedded database once for the whole run; each world starts on a copy of it. */
export const setup = () => {
  rmSync(statementFolder, { recursive: true, force: true })
  const folder = createFolder('template')
  execFileSync(process.execPath, ['tools/migrate.ts'], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: '', DATA_DIR: folder },
  })
  process.env.TEST_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
