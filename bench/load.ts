/**
 * HTTP/1.1 load from raw sockets, one request in flight on each connection. It shares the machine
 * with what it measures, so it does as little as it can for a request.
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
  /** Answers with status 200. */
  perSecond: number
  p50Ms: number
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

export const runLoad = async ({ port, connections, seconds, request }: Load): Promise<Measured> => {
  const latencies: number[] = []
  const others: Measured['others'] = new Map()
  let stopped = false

  const judge = (answer: string, sentAt: number) => {
    const status = answer.slice(9, 12)
    if (status === '200') {
      if (!stopped) latencies.push(performance.now() - sentAt)
      return
    }
    const other = others.get(status)
    if (other) other.count++
    else others.set(status, { count: 1, first: answer.slice(0, 1000) })
  }

  const run = (): { ready: Promise<unknown>; start(): void; done: Promise<void> } => {
    const done = Promise.withResolvers<void>()
    let sentAt = 0
    let answer = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(request(), 'latin1')
    }
    const socket = open(port, (text) => {
      answer = answer === '' ? text : answer + text
      if (!isWhole(answer)) return
      judge(answer, sentAt)
      answer = ''
      if (!stopped) return send()
      socket.destroy()
      done.resolve()
    })
    const ready = once(socket, 'connect')
    const fail = (error?: Error) =>
      done.reject(error ?? new Error('the server closed a connection'))
    socket.on('error', fail).on('end', fail)
    return { ready, start: send, done: done.promise }
  }

  const all = Array.from({ length: connections }, run)
  await Promise.all(all.map(({ ready }) => ready))
  const startedAt = performance.now()
  let elapsed = 0
  setTimeout(() => {
    stopped = true
    elapsed = performance.now() - startedAt
  }, seconds * 1000)
  for (const { start } of all) start()
  await Promise.all(all.map(({ done }) => done))
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: sorted.length / (elapsed / 1000),
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    others,
  }
}
