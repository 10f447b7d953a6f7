import { connect } from 'node:net'

/** Sends raw bytes without the checks of an HTTP client; returns status, head and body. */
export const rawRequest = (base: string, text: string | Buffer) =>
  new Promise<{ status: number; head: string; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const finish = () => {
      const answer = Buffer.concat(chunks).toString()
      const end = answer.indexOf('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
      resolve({ status, head: answer.slice(0, end), body: answer.slice(end + 4) })
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', finish)
    // Bytes received before the server cut the connection are the answer.
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)))
    socket.write(text)
  })

/** One request on a new connection. */
export const rawCall = (base: string, requestLine: string, headers: string[] = [], body = '') =>
  rawRequest(
    base,
    [
      `${requestLine} HTTP/1.1`,
      'host: localhost',
      'connection: close',
      ...headers,
      ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : []),
      '',
      body,
    ].join('\r\n'),
  )
