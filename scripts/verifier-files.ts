/**
 * Makes one file of each program that verifies proofs: those that anybody can download, and those of pages. They share
 * `packages/verifier`. They stay readable. Part of `npm run pages`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = {
  'verify-draw': 'packages/verifier/verify-draw.ts',
  'verify-play': 'packages/verifier/verify-play.ts',
  'draw-check': 'src/pages/draw-check.ts',
  'play-check': 'src/pages/play-check.ts',
}

/** The comment at the start of a file, which the bundler drops. */
const headOf = (path: string) => /^\/\*\*.*?\*\//s.exec(readFileSync(join(root, path), 'utf8'))?.[0]

for (const [name, input] of Object.entries(programs))
  await build({
    cwd: root,
    input,
    platform: input.startsWith('src/pages/') ? 'browser' : 'node',
    output: { file: `src/generated/verifier/${name}.js`, format: 'esm', banner: headOf(input) },
  })
