/** WebSocket clients that count the frames they get, and do as little else as possible. */
import { connect, type Socket } from 'node:net'
import { faults } from './rounds.ts'

/** A text frame of a client. Its mask is zero, so that its bytes stay as they are. */
const textFrame = (text: string): Buffer => {
  const body = Buffer.from(text)
  const head = Buffer.alloc(body.length < 126 ? 6 : 8)
  head[0] = 0x81
  head[1] = 0x80 | Math.min(body.length, 126)
  if (body.length >= 126) head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** The server closes a connection that answers no ping. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

export type Audience = {
  /** Resolves once each spectator has got `count` frames. */
  wait(count: number): Promise<void>
  /** The first frame with an event, as text. */
  sample(): string
  end(): void
}

/**
 * Opens WebSockets at `/graphql`.
 * @param greet messages that each sends, one after the answer to the one before
 */
export const openAudience = async (
  port: number,
  greet: string[],
  size: number,
): Promise<Audience> => {
  const sockets: Socket[] = []
  let reached: number[] = []
  let waiting: { count: number; resolve(): void }[] = []
  let last = ''
  const tell = (number: number) => {
    reached[number] = (reached[number] ?? 0) + 1
    if (reached[number] !== size) return
    waiting = waiting.filter(({ count, resolve }) => count > number || resolve())
  }
  const open = (first: boolean) =>
    new Promise<void>((resolve, reject) => {
      let upgraded = false
      let text = 0
      let rest: Buffer = Buffer.alloc(0)
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      let greeted = 0
      /** Each message waits for the answer to the one before. */
      const greetNext = () => {
        const message = greet[greeted++]
        if (message) socket.write(textFrame(message))
      }
      socket.once('error', reject)
      socket.once('end', () => faults.push('a spectator was sent away'))
      socket.once('connect', () =>
        socket.write(
          'GET /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
            'sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n' +
            'sec-websocket-protocol: graphql-transport-ws\r\n\r\n',
        ),
      )
      socket.on('data', (data: Buffer) => {
        let buffer = rest.length > 0 ? Buffer.concat([rest, data]) : data
        if (!upgraded) {
          const end = buffer.indexOf('\r\n\r\n')
          if (end < 0) return
          upgraded = true
          buffer = buffer.subarray(end + 4)
          greetNext()
          resolve()
        }
        let at = 0
        while (buffer.length - at >= 2) {
          const short = (buffer[at + 1] as number) & 0x7f
          const head = short < 126 ? 2 : short === 126 ? 4 : 10
          if (buffer.length - at < head) break
          const length =
            short < 126
              ? short
              : short === 126
                ? buffer.readUInt16BE(at + 2)
                : Number(buffer.readBigUInt64BE(at + 2))
          if (buffer.length - at < head + length) break
          const kind = (buffer[at] as number) & 0x0f
          if (kind === 9) socket.write(pong)
          if (kind === 1) {
            if (first) last = buffer.toString('utf8', at + head, at + head + length)
            tell(++text)
            greetNext()
          }
          at += head + length
        }
        rest = buffer.subarray(at)
      })
    })
  for (let i = 0; i < size; i += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, size - i) }, (_, j) => open(i === 0 && j === 0)),
    )
  return {
    wait: (count) =>
      reached[count] === size
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve })
          }),
    sample: () => last,
    end: () => {
      for (const socket of sockets) socket.destroy()
      reached = []
    },
  }
}
