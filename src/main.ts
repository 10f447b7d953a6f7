/** The entry point. Compiled code is cached for the next start. */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The first process of a container ignores signals that have no handler.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))

if (!existsSync(join(import.meta.dirname, 'generated/prisma'))) {
  console.error(
    'Tessera is not built. Run npm ci with all packages; npm prune removes those that only build.',
  )
  process.exit(1)
}

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tessera'))

// Outside of production, graphql searches for a second copy of itself at every type check, which takes 2 % of a core
// under load. It decides this once, when it is loaded. Afterwards NODE_ENV is restored.
const { NODE_ENV } = process.env
process.env.NODE_ENV = 'production'
await import('graphql')
if (NODE_ENV === undefined) delete process.env.NODE_ENV
else process.env.NODE_ENV = NODE_ENV

await import('./process.ts')
