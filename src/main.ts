/** Where it begins. What was compiled at one start need not be compiled at the next. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tessera'))
await import('./process.ts')
