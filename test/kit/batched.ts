/** Which functions the sources hand to `runtime.read`, `load` and `runtime.write`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** Objects with a `read` or `write` of their own. */
const others = [
  'broadcast',
  'documents',
  'forms',
  'header',
  'inner',
  'outer',
  'row',
  'socket',
  'stderr',
  'timings',
]

/** Calls that hand their second parameter on. */
const passedOn = { read: '|\\bload\\(\\s*(?:ctx|runtime),\\s*', write: '' }

/** Names of all functions that are called in batches. */
export const batchedBy = (way: 'read' | 'write'): string[] => {
  const call = new RegExp(`(?:(#?\\w+)\\s*\\.${way}\\(\\s*${passedOn[way]})([\\w.#]+)`, 'g')
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated/'))
    .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(call)])
    .flatMap(([, owner = '', name = '']) => (others.includes(owner.replace('#', '')) ? [] : name))
  return [...new Set(names)].filter((name) => name !== 'reader').sort()
}
