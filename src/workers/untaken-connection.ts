import type { Worker } from 'node:cluster'

type Send = NonNullable<Worker['process']['send']>

/**
 * Closes the connection that was passed to a worker but not accepted before it died. Node.js leaves it open, so its
 * client would wait forever. A worker is passed the next connection only after it has accepted the last.
 */
export const closeUntaken = (worker: Worker): void => {
  const { process: child } = worker
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  let given: { close(): void } | undefined
  child.send = ((message: unknown, handle?: typeof given, ...rest: unknown[]) => {
    if (handle) given = handle
    return send(message, handle, ...rest)
  }) as Send
  // Node.js closes a connection that was accepted. Closing it twice does nothing.
  worker.once('exit', () => given?.close())
}
