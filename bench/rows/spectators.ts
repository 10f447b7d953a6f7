/** Row 8: one live match and its spectators, against `ws` sending the same bytes to as many. */
import { connect } from 'node:net'
import { type Audience, openAudience } from '../audience.ts'
import type { Bench } from '../bench.ts'
import { compare, limit, type Result } from '../report.ts'
import { alternate, type Contender, faults } from '../rounds.ts'

const spectators = Number(process.env.BENCH_SPECTATORS ?? 2_000)
/** Events that are sent at the same time. */
const inFlight = 8
/** The maximum event rate for spectators of a game; delay is measured at this rate. */
const calmMs = 50
const matchId = '01900000-0000-7000-8000-00000000b008'

const makeMatch = ({ postgres: { client }, demo: { partnerId } }: Bench) =>
  client.query(
    `INSERT INTO arena_match (id, partner_id, environment, match_type, game_type, best_of, status,
      is_public, agent1_id, agent2_id, partner1_id, partner2_id, seq, scheduled_at, due_at, created_at)
    SELECT $1, $2, 'LIVE', 'FRIENDLY', 'TIC_TAC_TOE', 3, 'IN_PROGRESS', true, min(id::text)::uuid,
      max(id::text)::uuid, $2, $2, 0, now(), now() + interval '1 day', now() FROM arena_agent`,
    [matchId, partnerId],
  )

const subscription = (fields: string) =>
  `subscription { arenaMatchEvents(arenaMatchId: "${matchId}") { seq occurredAt ${fields} } }`

/** The same event in the schema of the server: earlier schemas had one type for all kinds. */
const shapes = {
  typed: {
    subscription: subscription(
      '__typename ... on ArenaMatchMovesMade { roundNumber moves { slot action fault } board turn }',
    ),
    mark: 'ArenaMatchMovesMade',
  },
  untyped: {
    subscription: subscription('kind gameNumber moves { slot action fault } board turn'),
    mark: 'MOVES_MADE',
  },
}

const shapeOf = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/schema.graphql`)
  const isTyped = (await response.text()).includes(shapes.typed.mark)
  return isTyped ? shapes.typed : shapes.untyped
}

const event = {
  moves: [{ slot: 1, action: '5', fault: null }],
  board: [
    ['1', '', '2'],
    ['', '1', ''],
    ['2', '', ''],
  ],
  turn: [2],
}

/** Sends events, a few at a time; returns events per second and the delays of calm events. */
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

type Watched = {
  contender: Contender
  /** From each calm write until the last spectator has it, in milliseconds. */
  delays: number[]
  /** An event as spectators get it. */
  bytes: string
  end(): Promise<void>
}

/** Our spectators of one live match. Its events are written to the database one after the other. */
export const watchMatch = async (name: string, bench: Bench): Promise<Watched> => {
  await makeMatch(bench)
  const ours = await bench.startOurs()
  const { client } = bench.postgres
  console.log(`  ${spectators} spectators come …`)
  const { subscription: query, mark } = await shapeOf(ours.port)
  const init = '{"type":"connection_init"}'
  const subscribe = JSON.stringify({ id: 's', type: 'subscribe', payload: { query } })
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
  const send = () => {
    queue = queue.then(write)
    return queue
  }
  await send()
  await watching.wait(3)
  const bytes = watching.sample()
  if (!bytes.includes(mark)) faults.push(`spectators see ${bytes.slice(0, 200)}`)
  return {
    ...contenderOf(name, watching, send, 3),
    bytes,
    end: async () => {
      watching.end()
      await ours.stop()
      // The match was not really played, so its rows are deleted.
      for (const table of ['arena_audience', 'arena_match_event'])
        await client.query(`DELETE FROM ${table} WHERE match_id = $1`, [matchId])
      await client.query('DELETE FROM arena_match WHERE id = $1', [matchId])
    },
  }
}

/** @param frames how many each spectator has got already */
const contenderOf = (
  name: string,
  audience: Audience,
  send: () => Promise<unknown>,
  frames: number,
): Pick<Watched, 'contender' | 'delays'> => {
  const delays: number[] = []
  let last = frames
  const measure = async (seconds: number) => {
    const turn = await drive(audience, send, last, seconds)
    last = turn.last
    delays.push(...turn.delays)
    return turn.perSecond
  }
  return { contender: { name, measure }, delays }
}

/** `ws` sending the same bytes to the same number of spectators. */
const watchRival = async (bench: Bench, bytes: string): Promise<Omit<Watched, 'bytes'>> => {
  const { port, stop } = await bench.startRival('broadcaster.ts')
  const plain = await openAudience(port, [], spectators)
  const control = connect({ port, host: '127.0.0.1', noDelay: true })
  control.write(`BROADCAST ${Buffer.byteLength(bytes)}\n${bytes}`)
  return {
    ...contenderOf('ws to as many', plain, async () => void control.write('\n'), 0),
    end: async () => {
      plain.end()
      control.destroy()
      await stop()
    },
  }
}

export const spectatorRow = async (bench: Bench): Promise<Result[]> => {
  const ours = await watchMatch('our spectators', bench)
  const rival = await watchRival(bench, ours.bytes)
  const contenders = [ours.contender, rival.contender]
  const [us, them] = (await alternate(contenders, bench.settle)) as [number, number]
  await ours.end()
  await rival.end()
  console.log(
    `  p99 from the write to the last spectator: ${p99(ours.delays)} ms, \`ws\` ${p99(rival.delays)} ms`,
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
      ours: p99(ours.delays),
      unit: 'ms',
      goal: 250,
    }),
  ]
}
