/** An HTTP server that ends without cutting off a request that has reached this machine. */
import { type IncomingMessage, Server, type ServerOptions } from 'node:http'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A turn of the event loop that took less than this had nothing to read. */
const quietMs = 1
/** On a machine that is never quiet the end comes all the same. */
const patienceMs = 3_000
const lookAgainMs = 10
/** A client may take this long from opening a connection to its request. */
const silenceMs = 1_000

/**
 * Resolves when the event loop has read all that had arrived. Until then a connection that looks idle,
 * or one that was never accepted, may have a request waiting in the kernel: closing it resets it.
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
   * Takes no more connections, lets requests be answered, and closes connections once they rest. Answers
   * should say `Connection: close` from some time before, so that few rest and clients know.
   * @param done called when the last connection has ended
   */
  override close(done?: (error?: Error) => void): this {
    void this.#end(done)
    return this
  }

  async #end(done?: (error?: Error) => void) {
    // New connections wait, so that the loop gets quiet under load: who waits for an answer does not come
    // again. The listener ends when nobody comes any more, for it resets those whom it has not accepted.
    const waiting: Socket[] = []
    const takers = this.listeners('connection')
    this.removeAllListeners('connection').on('connection', (socket) => waiting.push(socket))
    const giveUpAt = performance.now() + patienceMs
    for (let count = -1; count < waiting.length && performance.now() < giveUpAt; ) {
      count = waiting.length
      await sleep(lookAgainMs)
      await allIsRead()
    }
    net.Server.prototype.close.call(this, done)
    for (const socket of waiting) for (const take of takers) take.call(this, socket)
    while (this.#sockets.size > 0) {
      await allIsRead()
      // To Node a connection that never sent anything is about to, however long ago it was opened.
      const longAgo = performance.now() - silenceMs
      for (const [socket, openedAt] of this.#sockets)
        if (socket.bytesRead === 0 && openedAt < longAgo) socket.destroy()
      // To Node an answer is finished that its reader has not taken yet.
      const isUnsent = [...this.#sockets.keys()].some(({ writableLength }) => writableLength > 0)
      if (!isUnsent) this.closeIdleConnections()
      await sleep(lookAgainMs)
    }
  }
}

/** While the server drains, the answer to the last request of a connection ends the connection. */
export const mountDraining = (app: FastifyInstance, draining: () => boolean): void => {
  const latest = new WeakMap<Socket, IncomingMessage>()
  const ended = new WeakSet<Socket>()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // What was sent ahead of such an answer is never answered, so it must not be done.
    if (draining() && ended.has(raw.socket)) return void reply.hijack()
    latest.set(raw.socket, raw)
    done()
  })
  app.addHook('onSend', ({ raw }, reply, _, done) => {
    if (!draining()) return done()
    // Requests that came in the same packet are read within this turn.
    setImmediate(() => {
      if (latest.get(raw.socket) === raw) {
        ended.add(raw.socket)
        reply.header('connection', 'close')
      } else reply.raw.removeHeader('connection') // Fastify ends the connection at any answer.
      done()
    })
  })
}
