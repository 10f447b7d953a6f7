/** Row 8: one live match and its spectators, against `ws` sending the same bytes to as many. */
import { connect, type Socket } from 'node:net'
import type { Bench } from '../bench.ts'
import { compare, limit, type Result } from '../report.ts'
import { alternate, type Contender, faults } from '../rounds.ts'

const spectators = Number(process.env.BENCH_SPECTATORS ?? 2_000)
/** Events that are on their way to spectators at the same time. */
const inFlight = 8
/** A spectator of a game sees an event so often at most; delay is measured at this rate. */
const calmMs = 50
const matchId = '01900000-0000-7000-8000-00000000b008'

/** A text frame of a client. Its mask is zero, so that its bytes stay as they are. */
const textFrame = (text: string): Buffer => {
  const body = Buffer.from(text)
  const head = Buffer.alloc(body.length < 126 ? 6 : 8)
  head[0] = 0x81
  head[1] = 0x80 | Math.min(body.length, 126)
  if (body.length >= 126) head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** A connection that answers no ping is taken for dead. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

type Audience = {
  /** Frames that each spectator must have got before `got` resolves. */
  wait(count: number): Promise<void>
  /** The first frame with an event, as text. */
  sample(): string
  end(): void
}

/** Opens WebSockets that count the text frames they get, and do as little else as they can. */
const openAudience = async (port: number, greet: string[], size: number): Promise<Audience> => {
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

const makeMatch = ({ postgres: { client }, demo: { partnerId } }: Bench) =>
  client.query(
    `INSERT INTO arena_match (id, partner_id, environment, match_type, game_type, best_of, status,
      is_public, agent1_id, agent2_id, partner1_id, partner2_id, seq, scheduled_at, due_at, created_at)
    SELECT $1, $2, 'LIVE', 'FRIENDLY', 'TIC_TAC_TOE', 3, 'IN_PROGRESS', true, min(id::text)::uuid,
      max(id::text)::uuid, $2, $2, 0, now(), now() + interval '1 day', now() FROM arena_agent`,
    [matchId, partnerId],
  )

const subscription = `subscription { matchEvents(matchId: "${matchId}") {
  seq kind at gameNumber moves { slot action fault } board turn } }`

const event = {
  moves: [{ slot: 1, action: '5', fault: null }],
  board: [
    ['1', '', '2'],
    ['', '1', ''],
    ['2', '', ''],
  ],
  turn: [2],
}

/** Sends one event after the other, a few at a time; gives events a second and the delays of calm events. */
const drive = async (
  audience: Audience,
  send: (n: number) => Promise<unknown>,
  from: number,
  seconds: number,
) => {
  const end = performance.now() + seconds * 1000
  const startedAt = performance.now()
  let next = from
  const lane = async () => {
    while (performance.now() < end) {
      const n = ++next
      await send(n)
      await audience.wait(n)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  const perSecond = (next - from) / ((performance.now() - startedAt) / 1000)
  const delays: number[] = []
  for (let i = 0; i < (seconds * 1000) / 2 / calmMs; i++) {
    const sentAt = performance.now()
    const n = ++next
    await send(n)
    await audience.wait(n)
    delays.push(performance.now() - sentAt)
    await new Promise((resolve) => setTimeout(resolve, calmMs))
  }
  return { perSecond, delays, last: next }
}

const p99 = (numbers: number[]) =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.99)] ?? Number.NaN)

export const spectatorRow = async (bench: Bench): Promise<Result[]> => {
  await makeMatch(bench)
  const ours = await bench.startOurs()
  const rival = await bench.startRival('broadcaster.ts')
  const { client } = bench.postgres
  console.log(`  ${spectators} spectators come …`)
  const init = '{"type":"connection_init"}'
  const subscribe = JSON.stringify({ id: 's', type: 'subscribe', payload: { query: subscription } })
  const watching = await openAudience(ours.port, [init, subscribe], spectators)
  // The first two frames are the acknowledgement and the snapshot.
  await watching.wait(2)
  let seq = 0
  let queue: Promise<unknown> = Promise.resolve()
  const write = () => {
    const n = ++seq
    return client.query(
      `WITH m AS (UPDATE arena_match SET seq = $2 WHERE id = $1)
      INSERT INTO arena_match_event (match_id, seq, kind, game_number, data, occurred_at)
      VALUES ($1, $2, 'MOVES_MADE', 1, $3, now())`,
      [matchId, n, JSON.stringify(event)],
    )
  }
  const sendOurs = () => {
    queue = queue.then(write)
    return queue
  }
  await sendOurs()
  await watching.wait(3)
  const bytes = watching.sample()
  if (!bytes.includes('MOVES_MADE')) faults.push(`spectators see ${bytes.slice(0, 200)}`)

  const plain = await openAudience(rival.port, [], spectators)
  const control = connect({ port: rival.port, host: '127.0.0.1', noDelay: true })
  control.write(`BROADCAST ${Buffer.byteLength(bytes)}\n${bytes}`)
  const sendRival = async () => void control.write('\n')

  const [delays, rivalDelays]: [number[], number[]] = [[], []]
  let [ourLast, rivalLast] = [3, 0]
  const contenders: Contender[] = [
    {
      name: `our spectators`,
      measure: async (seconds) => {
        const turn = await drive(watching, sendOurs, ourLast, seconds)
        ourLast = turn.last
        delays.push(...turn.delays)
        return turn.perSecond
      },
    },
    {
      name: `ws to as many`,
      measure: async (seconds) => {
        const turn = await drive(plain, sendRival, rivalLast, seconds)
        rivalLast = turn.last
        rivalDelays.push(...turn.delays)
        return turn.perSecond
      },
    },
  ]
  const [us, them] = (await alternate(contenders, bench.settle)) as [number, number]
  watching.end()
  plain.end()
  control.destroy()
  await ours.stop()
  await rival.stop()
  // It is no match that was played: nothing of it stays.
  for (const table of ['arena_audience', 'arena_match_event'])
    await client.query(`DELETE FROM ${table} WHERE match_id = $1`, [matchId])
  await client.query('DELETE FROM arena_match WHERE id = $1', [matchId])
  console.log(
    `  p99 from the write to the last spectator: ${p99(delays)} ms, \`ws\` ${p99(rivalDelays)} ms`,
  )
  const what = `one live match, ${spectators.toLocaleString('en')} WebSocket spectators`
  return [
    compare({
      row: '8',
      what: `${what}, events`,
      against: '`ws` broadcasting the same bytes',
      ours: us,
      rival: them,
      goal: 0.5,
    }),
    limit({
      row: '8',
      what: `${what}, from the write to the last spectator, p99`,
      ours: p99(delays),
      unit: 'ms',
      goal: 250,
    }),
  ]
}
