import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const exit = new URL('../../src/kit/exit.ts', import.meta.url)

/** Runs a function many times and returns the kinds of compilers that have optimized it. */
const compilersOf = (before: string) => {
  const program = `${before}
    const add = (until) => { let sum = 0; for (let i = 0; i < until; i++) sum = (sum * 31 + i) | 0; return sum }
    for (let n = 0; n < 20_000; n++) add(200)`
  const options = ['--trace-opt', '--input-type=module-typescript', '--eval', program]
  const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  return new Set(stdout.match(/(?<=target )\w+/g))
}

test('before an exit, only what runs often is still compiled in the background', () => {
  expect(compilersOf('')).toContain('MAGLEV')
  const stopped = compilersOf(`import { preventExitHang } from '${exit}'; preventExitHang()`)
  expect(stopped).not.toContain('MAGLEV')
  expect(stopped).toContain('TURBOFAN_JS')
})
