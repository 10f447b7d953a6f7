/** `npm run golden`: rewrites the golden files. `npm run check` is red when one of them is stale. */
import { writeFileSync } from 'node:fs'
import { goldenFiles } from '../src/golden.ts'
import { addMigrationSums } from './migration-sums.ts'

for (const [name, content] of Object.entries(goldenFiles())) {
  writeFileSync(new URL(`../${name}`, import.meta.url), content)
  console.log(`Wrote ${name}`)
}
addMigrationSums()
