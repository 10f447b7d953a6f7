/**
 * HTTP/1.1 load from raw sockets, one request in flight on each connection. It shares the machine
 * with the server that it measures, so it does as little as possible for each request.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Load = {
  port: number
  connections: number
  seconds: number
  /** The next request, with its head and body, in Latin-1. */
  request: () => string
}

export type Measured = {
  /** Answers with status 200 per second. */
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  /** How often each other answer came, with the first of its kind. */
  others: Map<string, { count: number; first: string }>
}

/** A request with a JSON body, or none. */
export const httpRequest = (
  line: string,
  headers: Record<string, string>,
  body?: string,
): string => {
  const all = { host: '127.0.0.1', ...headers }
  const head = Object.entries(all).reduce(
    (text, [k, v]) => `${text}\r\n${k}: ${v}`,
    `${line} HTTP/1.1`,
  )
  return body === undefined
    ? `${head}\r\n\r\n`
    : `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

const isWhole = (answer: string): boolean => {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)
  return length ? answer.length >= head + 4 + Number(length[1]) : answer.endsWith('\r\n0\r\n\r\n')
}

const open = (port: number, receive: (text: string) => void): Socket => {
  const buffer = Buffer.allocUnsafe(65_536)
  const callback = (size: number) => {
    receive(buffer.toString('latin1', 0, size))
    return true
  }
  return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
}

const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? 0

/** Latencies of the answers with status 200; the others are counted. */
const tally = () => {
  const latencies: number[] = []
  const others: Measured['others'] = new Map()
  return {
    add: (answer: string, latencyMs: number) => {
      const status = answer.slice(9, 12)
      if (status === '200') return void latencies.push(latencyMs)
      const other = others.get(status)
      if (other) other.count++
      else others.set(status, { count: 1, first: answer.slice(0, 1000) })
    },
    measured: (elapsedMs: number): Measured => {
      const sorted = Float64Array.from(latencies).sort()
      return {
        perSecond: sorted.length / (elapsedMs / 1000),
        p50Ms: percentile(sorted, 0.5),
        p95Ms: percentile(sorted, 0.95),
        p99Ms: percentile(sorted, 0.99),
        others,
      }
    },
  }
}

type Connection = { send(request: string): void; close(): void }

/** Opens connections. `lost` is rejected when the server closes one of them. */
const openAll = async (
  port: number,
  connections: number,
  onAnswer: (connection: Connection, answer: string) => void,
) => {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const openOne = async () => {
    let answer = ''
    const socket = open(port, (text) => {
      answer = answer === '' ? text : answer + text
      if (!isWhole(answer)) return
      const whole = answer
      answer = ''
      onAnswer(connection, whole)
    })
    const fail = (error?: Error) =>
      lost.reject(error ?? new Error('the server closed a connection'))
    socket.on('error', fail).on('end', fail)
    const connection: Connection = {
      send: (request) => void socket.write(request, 'latin1'),
      close: () => void socket.destroy(),
    }
    await once(socket, 'connect')
    return connection
  }
  const all = await Promise.all(Array.from({ length: connections }, openOne))
  return { all, lost: lost.promise }
}

/** Each connection sends its next request as soon as its last one is answered. */
export const runLoad = async ({ port, connections, seconds, request }: Load): Promise<Measured> => {
  const { add, measured } = tally()
  const sentAt = new Map<Connection, number>()
  const done = Promise.withResolvers<void>()
  let elapsed: number | undefined
  const send = (connection: Connection) => {
    sentAt.set(connection, performance.now())
    connection.send(request())
  }
  const { all, lost } = await openAll(port, connections, (connection, answer) => {
    if (elapsed === undefined) {
      add(answer, performance.now() - (sentAt.get(connection) as number))
      return send(connection)
    }
    connection.close()
    sentAt.delete(connection)
    if (sentAt.size === 0) done.resolve()
  })
  const startedAt = performance.now()
  setTimeout(() => {
    elapsed = performance.now() - startedAt
  }, seconds * 1000)
  for (const connection of all) send(connection)
  await Promise.race([done.promise, lost])
  return measured(elapsed as number)
}

/**
 * A fixed number of requests a second, however fast they are answered. A request that finds no free connection waits
 * for one. Latencies count from the moment when a request was due, so that a stall counts for all that it delays.
 */
export const runOpenLoad = async ({
  port,
  connections,
  seconds,
  request,
  perSecond,
}: Load & { perSecond: number }): Promise<Measured> => {
  const { add, measured } = tally()
  const wanted = Math.floor(seconds * perSecond)
  const done = Promise.withResolvers<void>()
  const dueAt = new Map<Connection, number>()
  let free: Connection[] = []
  let sent = 0
  let answered = 0
  let startedAt = 0
  const dueTime = () => startedAt + (sent * 1000) / perSecond
  const sendDue = () => {
    while (sent < wanted && free.length > 0 && dueTime() <= performance.now()) {
      // In turns: the server closes a connection that has sent nothing for ten seconds.
      const connection = free.shift() as Connection
      dueAt.set(connection, dueTime())
      sent++
      connection.send(request())
    }
  }
  const { all, lost } = await openAll(port, connections, (connection, answer) => {
    add(answer, performance.now() - (dueAt.get(connection) as number))
    free.push(connection)
    if (++answered === wanted) done.resolve()
    sendDue()
  })
  free = [...all]
  startedAt = performance.now()
  const timer = setInterval(sendDue, 1)
  await Promise.race([done.promise, lost]).finally(() => clearInterval(timer))
  for (const connection of all) connection.close()
  return measured(performance.now() - startedAt)
}
