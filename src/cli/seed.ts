/**
 * `npm run seed`: creates the demo partner on a database without partners. Outside production, the server does the
 * same.
 */
import { seedDemo, writeDemo } from '../demo/demo.ts'
import { readArguments, runCommand, withDatabase } from './command.ts'

const usage = 'tessera seed   creates the demo partner on a database without partners'

await runCommand('seed', usage, async () => {
  readArguments({})
  await withDatabase(async (work) => {
    const demo = await seedDemo(work)
    console.log(
      demo
        ? `Made the demo partner; its keys are in ${writeDemo(work.config.dataDir, demo)}`
        : 'The database has partners already: nothing was made.',
    )
  })
})
