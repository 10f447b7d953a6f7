/** Where it begins. What was compiled at one start need not be compiled at the next. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The first process of a container does not end on a signal that it does not listen for.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tessera'))
await import('./process.ts')
