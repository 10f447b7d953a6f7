import type { Worker } from 'node:cluster'

type Send = NonNullable<Worker['process']['send']>

/**
 * Closes the connection that a worker was given and had not taken when it died. Node.js forgets it, still open, so its
 * client would wait for ever. A worker is given the next one only after it has taken the last.
 */
export const closeUntaken = (worker: Worker): void => {
  const { process: child } = worker
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  let given: { close(): void } | undefined
  child.send = ((message: unknown, handle?: typeof given, ...rest: unknown[]) => {
    if (handle) given = handle
    return send(message, handle, ...rest)
  }) as Send
  // Node.js closes a connection that was taken. To close it twice does nothing.
  worker.once('exit', () => given?.close())
}
