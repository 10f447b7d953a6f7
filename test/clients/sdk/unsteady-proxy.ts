/** A proxy in front of a server, which fails when a test says so. */
import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** How the proxy handles a request. */
export type Fate =
  | 'PASS'
  /** The server answers, but the answer is lost. */
  | 'LOSE_ANSWER'
  /** The request is never answered. */
  | 'SILENCE'
  | { status: number; headers?: Record<string, string>; body?: string }

export type UnsteadyProxy = Awaited<ReturnType<typeof createUnsteadyProxy>>

export const createUnsteadyProxy = async (target: string) => {
  const seen: Seen[] = []
  let fates: Fate[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() })
      const fate = fates.shift() ?? 'PASS'
      if (fate === 'SILENCE') return
      if (typeof fate === 'object') {
        response.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers })
        response.end(fate.body)
        return
      }
      const passed = forward(target + url, { method, headers }, (answer) => {
        if (fate === 'LOSE_ANSWER')
          return void answer.resume().on('end', () => request.socket.destroy())
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      passed.end(Buffer.concat(parts))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All requests since the last `plan`. */
    seen,
    /** How the next requests are handled; those after them pass. */
    plan: (...next: Fate[]) => {
      seen.length = 0
      fates = next
    },
    /** Breaks all connections. */
    breakOff: () => server.closeAllConnections(),
    end: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
