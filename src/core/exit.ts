import { setFlagsFromString } from 'node:v8'

/**
 * Stops compiling in the background. Node.js 24 waits at exit for what is being compiled there, which may wait for the
 * main thread to collect garbage; such a process never ends (nodejs/node#64274). Call this well before the exit, so
 * that compilations that have begun can end. Code that runs often is still optimized.
 */
export const stopBackgroundCompiling = (): void => {
  for (const flag of ['--no-maglev', '--no-concurrent-sparkplug']) setFlagsFromString(flag)
}
