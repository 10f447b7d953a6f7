import { setFlagsFromString } from 'node:v8'

/**
 * Turns off two of the compilers that work in the background. At its exit, Node.js 24 waits for what they are compiling,
 * while they may wait for the main thread to collect garbage; such a process never ends (nodejs/node#64274). Call this well
 * before the exit, so that what has begun can end. Code that runs often is still optimized, by the third compiler.
 */
export const preventExitHang = (): void => {
  for (const flag of ['--no-maglev', '--no-concurrent-sparkplug']) setFlagsFromString(flag)
}
