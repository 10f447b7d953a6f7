import { setFlagsFromString } from 'node:v8'

/**
 * Turns off two of the compilers that work in the background. At its exit, Node.js 24 waits for what they are compiling,
 * while they may wait for the main thread to collect garbage; such a process never ends (nodejs/node#64274). Call this well
 * before the exit, so that what has begun can end. Code that runs often is still optimized, by the third compiler.
 */
export const preventExitHang = (): void => {
  for (const flag of ['--no-maglev', '--no-concurrent-sparkplug']) setFlagsFromString(flag)
}

/**
 * Lets V8 optimize functions of WebAssembly only after they have run a hundred times longer than usual. At its exit,
 * Node.js waits for what is being optimized, and one function of the embedded PostgreSQL takes two seconds of CPU time
 * and 600 MB, although it is due after a few statements. Call this before the database is opened.
 */
export const optimizeDatabaseLate = (): void =>
  setFlagsFromString('--wasm-tiering-budget=2147483647')
