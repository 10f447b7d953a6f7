/** Calls between the primary process and its workers, over the channel between them. */
import type { Together } from '../draining-server.ts'
import type { Server, Siblings } from '../server.ts'
import type { WorkerMetrics } from './metrics-sum.ts'

/** The role of a worker among the others, which the primary process assigns. */
export type Orders = Pick<Siblings, 'isFirst' | 'keepsDemo'>

export type Serving = Pick<Server, 'port' | 'demo'>

/** Calls from the primary process to a worker. */
export type WorkerCalls = {
  /** Resolves when requests are answered. */
  start(orders: Orders): Promise<Serving>
  metrics(): Promise<WorkerMetrics>
  /** Answers the requests that have arrived, then ends the process. */
  stop(): Promise<void>
}

/** Calls from a worker to the primary process. */
export type PrimaryCalls = {
  /** The metrics of all workers. */
  metrics(): Promise<string>
  together: Together
}

type Calls = Record<string, (...args: never[]) => Promise<unknown>>

/** The process of a worker itself, or a worker in the primary process. */
type Channel = {
  send?(message: object): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

/** Libraries send their own messages over the same channel. */
type Message = { tessera?: 'call' | 'answer'; id: number; name: string; args: never[] } & (
  | { value: unknown }
  | { error: string }
)

/**
 * Answers the calls of the other process, and returns the function that calls it. A call rejects if the other process
 * fails to answer it or ends first.
 */
export const openCalls = <Theirs extends Calls>(channel: Channel, ours: Calls) => {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  const answer = async ({ id, name, args }: Message) => {
    const result = await (async () => ({ value: await ours[name]?.(...args) }))().catch(
      (error: Error) => ({ error: error.message }),
    )
    channel.send?.({ tessera: 'answer', id, ...result })
  }
  channel.on('message', (message) => {
    const sent = (message ?? {}) as Message
    if (sent.tessera === 'call') return void answer(sent)
    if (sent.tessera !== 'answer') return
    const call = pending.get(sent.id)
    pending.delete(sent.id)
    if ('error' in sent) call?.reject(new Error(sent.error))
    else call?.resolve(sent.value)
  })
  channel.on('disconnect', () => {
    for (const call of pending.values()) call.reject(new Error('The other process has ended'))
    pending.clear()
  })
  return <K extends keyof Theirs & string>(
    name: K,
    ...args: Parameters<Theirs[K]>
  ): ReturnType<Theirs[K]> => {
    const call = Promise.withResolvers<unknown>()
    const id = ++lastId
    pending.set(id, call)
    channel.send?.({ tessera: 'call', id, name, args })
    return call.promise as ReturnType<Theirs[K]>
  }
}
