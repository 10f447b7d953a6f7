/** An HTTP server that shuts down without dropping a request that has reached this machine. */

import { type IncomingMessage, Server, type ServerOptions } from 'node:http'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../access/context.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from '../security/network.ts'

/** An iteration of the event loop that took less than this had nothing to read. */
const quietMs = 1
/** The longest wait on a machine that is never idle. */
const patienceMs = 3_000
const lookAgainMs = 10
/** The number of checks in a row without a new connection. A client on a busy machine takes a while to reconnect. */
const quietLooks = 3
/** The longest time from opening a connection to its request. */
const silenceMs = 1_000

/**
 * Resolves when the event loop has read everything that had arrived. Until then, a request may wait in the kernel on a
 * connection that looks idle or was not accepted yet. Closing that connection would reset it.
 */
const allIsRead = async () => {
  const giveUpAt = performance.now() + patienceMs
  for (let now = performance.now(); now < giveUpAt; ) {
    await turn()
    const before = now
    now = performance.now()
    if (now - before < quietMs) return
  }
}

export class DrainingServer extends Server {
  /** When each connection was opened. */
  readonly #sockets = new Map<Socket, number>()

  constructor(options: ServerOptions, handler: ConstructorParameters<typeof Server>[1]) {
    super(options, handler)
    this.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, performance.now())
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /**
   * Accepts no more connections, answers requests, and closes idle connections. To leave few idle connections, send
   * `Connection: close` for some time before.
   * @param done called when the last connection has ended
   */
  override close(done?: (error?: Error) => void): this {
    void this.#end(done)
    return this
  }

  /** Resolves when no more connections arrive. */
  async #untilQuiet(waiting: Socket[]) {
    const giveUpAt = performance.now() + patienceMs
    for (let [before, quiet] = [-1, 0]; quiet < quietLooks && performance.now() < giveUpAt; ) {
      await sleep(lookAgainMs)
      await allIsRead()
      quiet = waiting.length === before ? quiet + 1 : 0
      before = waiting.length
    }
  }

  async #end(done?: (error?: Error) => void) {
    // New connections wait, so that the loop becomes idle under load: a client that waits for an answer opens no
    // other connection. The listener closes when no more arrive, because it resets those not accepted yet.
    const waiting: Socket[] = []
    const connectionListeners = this.listeners('connection')
    this.removeAllListeners('connection').on('connection', (socket) => waiting.push(socket))
    await this.#untilQuiet(waiting)
    net.Server.prototype.close.call(this, done)
    for (const socket of waiting) for (const take of connectionListeners) take.call(this, socket)
    while (this.#sockets.size > 0) {
      await allIsRead()
      // Node treats a connection that never sent anything as active, however long ago it was opened.
      const longAgo = performance.now() - silenceMs
      for (const [socket, openedAt] of this.#sockets)
        if (socket.bytesRead === 0 && openedAt < longAgo) socket.destroy()
      // Node treats an answer as finished before its reader has received it.
      const isUnsent = [...this.#sockets.keys()].some(({ writableLength }) => writableLength > 0)
      if (!isUnsent) this.closeIdleConnections()
      await sleep(lookAgainMs)
    }
    // Ends the timer of Node that looks for slow requests. It would keep the server in memory.
    super.close()
  }
}

/** While the server drains, it closes a connection after the answer to its last request. */
export const mountDraining = (app: FastifyInstance, draining: () => boolean): void => {
  const latest = new WeakMap<Socket, IncomingMessage>()
  const ended = new WeakSet<Socket>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Requests pipelined after such an answer get no answer, so they must not be executed.
    if (draining() && ended.has(raw.socket)) return void reply.hijack()
    latest.set(raw.socket, raw)
    done()
  })
  app.addHook('onSend', ({ raw }, reply, _, done) => {
    if (!draining()) return done()
    // Requests of the same packet are read in this iteration.
    setImmediate(() => {
      if (latest.get(raw.socket) === raw) {
        ended.add(raw.socket)
        reply.header('connection', 'close')
      } else reply.raw.removeHeader('connection') // Fastify would end the connection after any answer.
      done()
    })
  })
}

/**
 * Counts a new connection. Returns the function that releases it, or null if the limit is reached. Secret keys and
 * members have their own limits. Public keys are known to everyone, so they count by address, as do callers without
 * credentials. So no stranger can use up the connections of a key.
 */
export type AdmitConnection = (caller: Caller | null, ip: string) => (() => void) | null

export const createConnectionLimit = ({
  config: { connectionLimits },
  metrics: { limitHits },
}: Pick<Runtime, 'config' | 'metrics'>): AdmitConnection => {
  if (!connectionLimits) return () => () => {}
  const taken = new Map<string, number>()
  const limitOf = (caller: Caller | null, ip: string) => {
    if (caller?.kind === 'secret') return { name: caller.keyId, max: connectionLimits.key }
    if (caller?.kind === 'member') return { name: caller.memberId, max: connectionLimits.key }
    return { name: networkOf(ip), max: connectionLimits.address }
  }
  return (caller, ip) => {
    const { name, max } = limitOf(caller, ip)
    const before = taken.get(name) ?? 0
    if (before >= max) {
      limitHits.inc({ limit: 'connections' })
      return null
    }
    taken.set(name, before + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const rest = (taken.get(name) as number) - 1
      if (rest > 0) taken.set(name, rest)
      else taken.delete(name)
    }
  }
}
