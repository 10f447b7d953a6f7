/** `npm run golden`: rewrites the golden files. `npm run check` fails if one of them is out of date. */
import { writeFileSync } from 'node:fs'
import { addMigrationSums, goldenFiles } from './golden-files.ts'

for (const [name, content] of Object.entries(goldenFiles())) {
  writeFileSync(new URL(`../${name}`, import.meta.url), content)
  console.log(`Wrote ${name}`)
}
addMigrationSums()
