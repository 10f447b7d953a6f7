/** The moves of a session for all who watch it on this node: read once, sent to each. */

import type { ArenaSessionMove } from '../../generated/prisma/client.ts'
import type { ArenaSessionStatus } from '../../generated/prisma/enums.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { singleton } from '../../kit/singleton.ts'
import { type Item, SharedStream } from '../../kit/streams/broadcast.ts'
import { createFeeds } from '../../kit/streams/log-feed.ts'
import { withPlayers } from './arena-session-read.ts'
import { selectMoves } from './session-move.sql.ts'
import { readSessionToken } from './session-token.ts'

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
export type Watcher = { token: string | null | undefined; partnerId: string | undefined }

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
  { sessionId, sinceSeq, ...watcher }: Watcher & { sessionId: string | null; sinceSeq: number },
): Promise<SharedStream<ArenaSessionMove>> => {
  if (sinceSeq < 0) throw refused('sinceSeq', 'must be at least 0', 'INVALID_PARAMETERS')
  const session = sessionId && (await findSession(runtime, sessionId))
  if (!session) throw new TesseraError('SESSION_NOT_FOUND')
  if (!mayWatch(runtime, session, watcher)) throw new TesseraError('INVALID_SESSION_TOKEN')
  const { id, status } = session
  const newest = await newestOf(runtime, id)
  // After a session has ended, its moves may already be deleted.
  if (isOpen(status) && sinceSeq > newest)
    throw refused('sinceSeq', `must be at most ${newest}, the newest move`, 'INVALID_PARAMETERS')
  const feed = openFeed(runtime)(id, () => ({
    position: newest,
    // Unknown until the first page is read.
    ended: false,
    source: { page: (after, take) => readPage(runtime, { sessionId: id, after, take }) },
  }))
  return new SharedStream(feed, sinceSeq)
}
