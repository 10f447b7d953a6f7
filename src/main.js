/**
 * The entry point. It is plain JavaScript, because what strips types takes longer to load than all of this file. It
 * starts the bundle that `npm run build` has made, or the sources where one of them has changed since.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bundle = join(import.meta.dirname, 'generated/server')

/** Whether a source is what the bundle was made of. Its text is compared only if its time differs, as in a copy. */
const isUnchanged = ([path, { size, seconds, sha1 }]) => {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (stat?.size !== size) return false
  if (Math.floor(stat.mtimeMs / 1000) === seconds) return true
  return hash('sha1', readFileSync(join(root, path))) === sha1
}

/** `node --watch` has to see the sources. */
const usesBundle = () => {
  const list = join(bundle, 'sources.json')
  if (process.env.WATCH_REPORT_DEPENDENCIES || !existsSync(list)) return false
  return Object.entries(JSON.parse(readFileSync(list, 'utf8'))).every(isUnchanged)
}

// The first process of a container ignores signals that have no handler.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))

if (!existsSync(join(import.meta.dirname, 'generated/prisma'))) {
  console.error(
    'Tessera is not built. Run npm ci with all packages; npm run prune removes those that only build.',
  )
  process.exit(1)
}

// Compiled code is kept for the next start.
enableCompileCache(join(root, 'node_modules/.cache/tessera'))

const [graphql, start] = usesBundle()
  ? [join(bundle, 'graphql.js'), join(bundle, 'process.js')]
  : ['graphql', './process.ts']

// Outside of production, graphql searches for a second copy of itself at every type check, which takes 2 % of a core
// under load. It decides this once, when it is loaded. Afterwards NODE_ENV is restored.
const { NODE_ENV } = process.env
process.env.NODE_ENV = 'production'
await import(graphql)
if (NODE_ENV === undefined) delete process.env.NODE_ENV
else process.env.NODE_ENV = NODE_ENV

await import(start)
