import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const exit = new URL('../../src/kit/exit.ts', import.meta.url)

/** Runs a program and returns what V8 traces. */
const trace = (option: string, program: string) => {
  const options = [option, '--input-type=module-typescript', '--eval', program]
  return spawnSync(process.execPath, options, { encoding: 'utf8' }).stdout
}

/** Runs a function many times and returns the kinds of compilers that have optimized it. */
const compilersOf = (before: string) => {
  const program = `${before}
    const add = (until) => { let sum = 0; for (let i = 0; i < until; i++) sum = (sum * 31 + i) | 0; return sum }
    for (let n = 0; n < 20_000; n++) add(200)`
  return new Set(trace('--trace-opt', program).match(/(?<=target )\w+/g))
}

test('before an exit, only what runs often is still compiled in the background', () => {
  expect(compilersOf('')).toContain('MAGLEV')
  const stopped = compilersOf(`import { preventExitHang } from '${exit}'; preventExitHang()`)
  expect(stopped).not.toContain('MAGLEV')
  expect(stopped).toContain('TURBOFAN_JS')
})

/** A module of WebAssembly with one function, which counts down to zero. */
const countdown =
  '0061736d0100000001050160017f0003020100070501016600000a10010e000340200041016b22000d000b0b'

/** Counts to ten millions in WebAssembly and returns the compilers of its code. */
const wasmCompilersOf = (before: string) => {
  const program = `${before}
    const bytes = Buffer.from('${countdown}', 'hex')
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
    for (let n = 0; n < 100; n++) f(100_000)`
  const text = trace('--trace-wasm-compilation-times', program)
  return new Set(text.match(/(?<=using )\w+/g))
}

test('a command does not optimize the embedded database for a few statements', () => {
  expect(wasmCompilersOf('')).toContain('TurboFan')
  const late = wasmCompilersOf(
    `import { optimizeDatabaseLate } from '${exit}'; optimizeDatabaseLate()`,
  )
  expect([...late]).toEqual(['Liftoff'])
})
