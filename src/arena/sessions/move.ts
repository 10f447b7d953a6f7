/** Moves of players, relayed in one order to all who watch a session. */
import { z } from 'zod'
import type { ArenaSession, ArenaSessionMove } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import type { Runtime, Transaction, Work } from '../../kit/runtime.ts'
import { singleton } from '../../kit/singleton.ts'
import { type Item, SharedStream } from '../../kit/streams/broadcast.ts'
import { createFeeds } from '../../kit/streams/log-feed.ts'
import { jsonValue, text } from '../../kit/validation.ts'
import { id } from '../arena-input.ts'
import {
  insertMoves,
  selectMovers,
  selectMoves,
  selectNamedMoves,
  selectSessionsForMoves,
} from './move.sql.ts'
import { standingOf } from './session.rules.ts'
import { readSessionToken, withPlayers } from './session.ts'

/** The maximum number of moves of a player per second, and so per call. */
const maxPerSecond = 20
const maxMoveBytes = 4 * 1024
/** The limits of a session: the number of moves, and the total bytes of their data. */
const maxMoves = 100_000
const maxTotalBytes = 16 * 1024 * 1024

const sent = z
  .object({
    data: jsonValue(maxMoveBytes)
      .meta({ graphql: 'JSON' })
      .describe('What the other players get: any JSON but null, 4 KB at most.'),
    reference: text(64)
      .nullish()
      .describe(
        "The sender's own name for the move. Sending the same one again relays nothing and gets the move that it named.",
      ),
  })
  .meta({ graphql: 'ArenaSessionMoveInput' })
  .describe('A move that a player makes in a session.')

export const SendArenaSessionMoves = z
  .object({
    arenaSessionId: id('ArenaSession').describe('The session, by its global id or its UUID.'),
    token: text(255)
      .nullish()
      .describe('The session token of the player, unless it is in X-Session-Token.'),
    moves: z
      .array(sent)
      .min(1, 'must not be empty')
      .max(maxPerSecond, `must be at most ${maxPerSecond} moves`)
      .refine(
        (moves) => {
          const named = moves.flatMap(({ reference }) => reference ?? [])
          return new Set(named).size === named.length
        },
        { message: 'must have different references' },
      )
      .describe('The moves in their order, 1 to 20. They are taken together or not at all.'),
  })
  .describe('Moves of a player.')
type SendArenaSessionMoves = Omit<z.output<typeof SendArenaSessionMoves>, 'arenaSessionId'> & {
  sessionId: string
}

/** The state of a session while its moves are taken. */
type Standing = { session: ArenaSession; seq: number; totalBytes: number }

/** The state of a player: the times of their last moves, newest first, and the earlier moves that they name again. */
type Mover = { recent: Date[]; named: Map<string, ArenaSessionMove> }

type Seat = { sessionId: string; playerId: string }

const keyOf = ({ sessionId, playerId }: Seat) => `${sessionId} ${playerId}`

/** The players who move, by their seats. Omits those who have no seat in the session. */
const findMovers = async (
  { tx }: Transaction,
  sends: (SendArenaSessionMoves & Seat)[],
  standings: Map<string, Standing>,
): Promise<Map<string, Mover>> => {
  if (sends.length === 0) return new Map()
  const seats = [...new Map(sends.map((send) => [keyOf(send), send])).values()]
  const movers = new Map<string, Mover>()
  for (const { recent, seq, totalBytes, ...seat } of await selectMovers(tx, seats, maxPerSecond)) {
    Object.assign(standings.get(seat.sessionId) as Standing, { seq, totalBytes })
    movers.set(keyOf(seat), { recent, named: new Map() })
  }
  const named = sends.flatMap(({ playerId, moves }) =>
    moves.flatMap(({ reference }) => (reference == null ? [] : [{ playerId, reference }])),
  )
  if (named.length > 0)
    for (const move of await selectNamedMoves(tx, named))
      movers.get(keyOf(move))?.named.set(move.reference as string, move)
  return movers
}

/** @throws TesseraError RATE_LIMITED */
const refuseHaste = (recent: Date[], count: number, now: Date): void => {
  const second = now.getTime() - 1000
  const current = recent.filter((sentAt) => sentAt.getTime() > second).length
  if (current + count > maxPerSecond)
    throw new TesseraError('RATE_LIMITED', {
      message: `A player may make ${maxPerSecond} moves a second`,
      limit: maxPerSecond,
      current,
      retryAfter: 1,
    })
}

/**
 * Numbers the moves of one call. Those that were taken before keep their numbers.
 * @throws TesseraError for a refused call, which changes nothing
 */
const takeMoves = (
  standing: Standing,
  mover: Mover,
  { moves, playerId }: SendArenaSessionMoves & { playerId: string },
  now: Date,
): { all: ArenaSessionMove[]; fresh: ArenaSessionMove[] } => {
  const { session } = standing
  const isNew = ({ reference }: { reference?: string | null | undefined }) =>
    reference == null || !mover.named.has(reference)
  const count = moves.filter(isNew).length
  if (count > 0) {
    if (session.status !== 'IN_PROGRESS' || session.expiresAt <= now)
      throw new TesseraError('SESSION_NOT_IN_PROGRESS', standingOf(session, now))
    refuseHaste(mover.recent, count, now)
  }
  let { seq, totalBytes } = standing
  const fresh: ArenaSessionMove[] = []
  const all = moves.map((move) => {
    const { reference = null, data } = move
    const known = reference === null ? undefined : mover.named.get(reference)
    if (known) return known
    totalBytes += Buffer.byteLength(JSON.stringify(data))
    const row = { sessionId: session.id, seq: ++seq, playerId, reference, data, totalBytes }
    const taken = { ...row, sentAt: now } as ArenaSessionMove
    fresh.push(taken)
    return taken
  })
  if (seq > maxMoves || totalBytes > maxTotalBytes)
    throw new TesseraError('MOVE_LIMIT_REACHED', { limit: maxMoves, current: standing.seq })
  Object.assign(standing, { seq, totalBytes })
  mover.recent = [...fresh.map(({ sentAt }) => sentAt), ...mover.recent].slice(0, maxPerSecond)
  for (const move of fresh) if (move.reference !== null) mover.named.set(move.reference, move)
  return { all, fresh }
}

/**
 * Takes moves in the order of the list, in a constant number of statements, and gives each its number in the session.
 * The moves of one call are taken together or not at all. A move that was taken before is not taken again.
 *
 * The result of a refused call is SESSION_NOT_FOUND, INVALID_SESSION_TOKEN, SESSION_NOT_IN_PROGRESS, RATE_LIMITED or
 * MOVE_LIMIT_REACHED, checked in this order.
 */
export const sendArenaSessionMoves = (
  work: Work,
  sends: SendArenaSessionMoves[],
): Promise<({ moves: ArenaSessionMove[] } | Error)[]> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const ids = [...new Set(sends.map(({ sessionId }) => sessionId))]
    const standings = new Map(
      (await selectSessionsForMoves(work.tx, ids)).map((session): [string, Standing] => [
        session.id,
        { session, seq: 0, totalBytes: 0 },
      ]),
    )
    const signed = sends.map(({ token, ...send }) => ({
      ...send,
      playerId: token ? readSessionToken(work.keys, send.sessionId, token) : null,
    }))
    const movers = await findMovers(
      work,
      signed.flatMap(({ playerId, ...send }) =>
        playerId && standings.has(send.sessionId) ? [{ ...send, playerId }] : [],
      ),
      standings,
    )
    const rows: ArenaSessionMove[] = []
    const results = signed.map(({ playerId, ...send }) => {
      const standing = standings.get(send.sessionId)
      if (!standing) return new TesseraError('SESSION_NOT_FOUND')
      const mover = playerId && movers.get(keyOf({ ...send, playerId }))
      if (!playerId || !mover) return new TesseraError('INVALID_SESSION_TOKEN')
      try {
        const { all, fresh } = takeMoves(standing, mover, { ...send, playerId }, now)
        rows.push(...fresh)
        return { moves: all }
      } catch (error) {
        if (error instanceof TesseraError) return error
        throw error
      }
    })
    if (rows.length > 0) await insertMoves(work.tx, rows)
    return results
  })

const openFeed = singleton('move feeds', (runtime: Runtime) =>
  createFeeds<ArenaSessionMove>(runtime, 'session'),
)

const isOpen = (status: ArenaSessionStatus | undefined) =>
  status === 'WAITING' || status === 'IN_PROGRESS'

/** The moves of a session after a number, and whether none will follow them. */
const readPage = async (
  { db }: Pick<Runtime, 'db'>,
  page: { sessionId: string; after: number; take: number },
) => {
  const rows = await selectMoves(db, page)
  const items = rows.flatMap(({ status: _, ...move }): Item<ArenaSessionMove>[] =>
    move.seq === null ? [] : [{ position: move.seq, value: move as ArenaSessionMove }],
  )
  return { items, ended: !isOpen(rows[0]?.status) && items.length < page.take }
}

/** The credentials of a watcher: a session token, and the partner of a key or member. */
type Watcher = { token: string | null | undefined; partnerId: string | undefined }

const findSession = ({ db }: Pick<Runtime, 'db'>, id: string) =>
  db.arenaSession.findUnique({
    where: { id },
    include: { ...withPlayers, game: { select: { partnerId: true } } },
  })
type Found = NonNullable<Awaited<ReturnType<typeof findSession>>>

/**
 * Anyone may watch a public session. Its players, its partner and the developer of the game may watch a private one.
 */
const mayWatch = (
  { keys }: Pick<Runtime, 'keys'>,
  { id, isPublic, partnerId, players, game }: Found,
  watcher: Watcher,
): boolean => {
  if (isPublic || watcher.partnerId === partnerId || watcher.partnerId === game.partnerId)
    return true
  const playerId = watcher.token ? readSessionToken(keys, id, watcher.token) : null
  return players.some((player) => player.id === playerId)
}

/** The number of the newest move of a session; 0 if there is none. */
const newestOf = async ({ db }: Pick<Runtime, 'db'>, sessionId: string): Promise<number> => {
  const where = { sessionId }
  const move = await db.arenaSessionMove.findFirst({ where, orderBy: { seq: 'desc' } })
  return move?.seq ?? 0
}

/**
 * Streams the moves of a session after a number: past moves, then new ones. Ends with the session.
 * @throws TesseraError SESSION_NOT_FOUND, INVALID_SESSION_TOKEN, INVALID_PARAMETERS
 */
export const watchMoves = async (
  runtime: Runtime,
  { sessionId, afterSeq, ...watcher }: Watcher & { sessionId: string | null; afterSeq: number },
): Promise<SharedStream<ArenaSessionMove>> => {
  if (afterSeq < 0) throw refused('afterSeq', 'must be at least 0', 'INVALID_PARAMETERS')
  const session = sessionId && (await findSession(runtime, sessionId))
  if (!session) throw new TesseraError('SESSION_NOT_FOUND')
  if (!mayWatch(runtime, session, watcher)) throw new TesseraError('INVALID_SESSION_TOKEN')
  const { id, status } = session
  const newest = await newestOf(runtime, id)
  // After a session has ended, its moves may already be deleted.
  if (isOpen(status) && afterSeq > newest)
    throw refused('afterSeq', `must be at most ${newest}, the newest move`, 'INVALID_PARAMETERS')
  const feed = openFeed(runtime)(id, () => ({
    position: newest,
    // Unknown until the first page is read.
    ended: false,
    source: { page: (after, take) => readPage(runtime, { sessionId: id, after, take }) },
  }))
  return new SharedStream(feed, afterSeq)
}
