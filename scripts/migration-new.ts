/** `npm run migration:new NAME`: writes a migration for the changes of the Prisma schema, to review and complete. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemaDrift } from './drift.ts'

const name = process.argv[2]
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Usage: npm run migration:new NAME   (lower case, digits and _)')
  process.exit(2)
}
const sql = await schemaDrift()
if (!sql) {
  console.log('The migrations and the Prisma schema agree: there is nothing to write.')
  process.exit(0)
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
const folder = fileURLToPath(new URL(`../prisma/migrations/${stamp}_${name}`, import.meta.url))
mkdirSync(folder)
writeFileSync(`${folder}/migration.sql`, `${sql}\n`)
console.log(`Wrote prisma/migrations/${stamp}_${name}/migration.sql`)
