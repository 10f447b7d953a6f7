/** Where it begins. What was compiled at one start need not be compiled at the next. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The first process of a container does not end on a signal that it does not listen for.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tessera'))

// Outside of production, graphql looks for a second copy of itself at every check of a type: 2 % of a core under
// load. It decides so once, when it is loaded; NODE_ENV goes on to say what the deployment said.
const { NODE_ENV } = process.env
process.env.NODE_ENV = 'production'
await import('graphql')
if (NODE_ENV === undefined) delete process.env.NODE_ENV
else process.env.NODE_ENV = NODE_ENV

await import('./process.ts')
