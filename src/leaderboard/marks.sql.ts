/** Statements of leaderboards whose ranks count from marks (decision 0211). */
import { type ItemsOf, inputRows, returns, snake, statement } from '../core/db/statement.ts'
import { Prisma } from '../generated/prisma/client.ts'

type Key = Record<string, 'uuid' | 'Environment'>

/** A kind of leaderboard. The order is by score, then by who reached it first, then by `external_id`. */
export type Board<K extends Key> = {
  /** The table of those who are ranked. An index must have the columns of the key and of the order. */
  ranked: string
  score: string
  reachedAt: string
  /** The table of the marks: the columns of the key, and those of `LeaderboardMark`. */
  marks: string
  /** The columns that name one leaderboard, in both tables. */
  key: K
}

/** Above every score. */
const highest = 9_223_372_036_854_775_807n

const columnsOf = (key: Key): string[] => Object.keys(key).map(snake)

/** Rows of two aliases that belong to the same leaderboard. */
const isSame = (key: Key, a: string, b: string): Prisma.Sql =>
  Prisma.raw(
    columnsOf(key)
      .map((column) => `${a}.${column} = ${b}.${column}`)
      .join(' AND '),
  )

/**
 * A statement that returns ranks: the number of those ahead, plus one. Those ahead of the nearest mark were counted with
 * it; those between are counted here, by a range of the index for each tie and for the scores between. The limit tells
 * the planner that there are few rows: it would compile the statement for more.
 */
export const rankStatement = <const K extends Key>(name: string, board: Board<K>) => {
  const asked = inputRows({
    ...board.key,
    externalId: 'text',
    score: 'bigint',
    reachedAt: 'timestamptz',
  })
  const others = Prisma.raw(`(SELECT ${columnsOf(board.key).join(', ')}, external_id,
    ${board.score} AS score, ${board.reachedAt} AS reached_at FROM ${board.ranked}) o`)
  const isOfBoard = isSame(board.key, 'o', 'u')
  return statement(
    name,
    returns({ n: 'int', rank: 'bigint' }),
    (rows: ItemsOf<typeof asked>) => Prisma.sql`
      SELECT u.n, 1 + coalesce(m.ahead, 0) + (
          SELECT count(*) FROM ${others}
          WHERE ${isOfBoard}
            AND o.score = m.score AND m.score > u.score AND o.reached_at >= m.reached_at
        ) + (
          SELECT count(*) FROM ${others}
          WHERE ${isOfBoard}
            AND o.score > u.score AND o.score < coalesce(m.score, ${highest}::bigint)
        ) + (
          SELECT count(*) FROM ${others}
          WHERE ${isOfBoard}
            AND o.score = u.score AND o.reached_at <= u.reached_at
            AND o.reached_at >= CASE WHEN m.score = u.score THEN m.reached_at ELSE '-infinity' END
            AND (o.reached_at < u.reached_at OR o.external_id < u.external_id)
        ) AS rank
      FROM (SELECT * FROM ${asked(rows)} LIMIT ${rows.length}::int) u
      LEFT JOIN LATERAL (
        SELECT * FROM ${Prisma.raw(board.marks)} a
        WHERE ${isSame(board.key, 'a', 'u')} AND a.score >= u.score
          AND (a.score > u.score OR a.reached_at <= u.reached_at)
        ORDER BY a.score, a.ahead DESC LIMIT 1
      ) m ON true`,
  )
}

/** A statement that counts one leaderboard: from the `first` on, there is a mark at every so many. */
export const markStatement = <const K extends Key>(name: string, board: Board<K>) => {
  const keys = inputRows(board.key)
  const [marks, ranked, score, reachedAt] = [
    board.marks,
    board.ranked,
    board.score,
    board.reachedAt,
  ].map((text) => Prisma.raw(text)) as [Prisma.Sql, Prisma.Sql, Prisma.Sql, Prisma.Sql]
  const columns = Prisma.raw(columnsOf(board.key).join(', '))
  return statement(
    name,
    returns({ marks: 'int' }),
    (key: ItemsOf<typeof keys>[number], now: Date, first: number, every: number) => Prisma.sql`
      WITH k AS MATERIALIZED (
        SELECT * FROM ${keys([key])}
      ), place AS MATERIALIZED (
        SELECT (nth / ${every}::int)::int AS no, score, reached_at, (rank - 1)::int AS ahead
        FROM k CROSS JOIN LATERAL (
          SELECT ${score} AS score, ${reachedAt} AS reached_at, row_number() OVER by_score AS nth,
            rank() OVER by_score AS rank
          FROM ${ranked} o WHERE ${isSame(board.key, 'o', 'k')}
          WINDOW by_score AS (ORDER BY ${score} DESC, ${reachedAt})
        ) o WHERE nth >= ${first}::int AND nth % ${every}::int = 0
      ), marked AS (
        INSERT INTO ${marks} (${columns}, no, score, reached_at, ahead, counted_at)
        SELECT ${columns}, no, score, reached_at, ahead, ${now}::timestamptz FROM k CROSS JOIN place
        ON CONFLICT (${columns}, no) DO UPDATE SET score = excluded.score,
          reached_at = excluded.reached_at, ahead = excluded.ahead, counted_at = excluded.counted_at
      ), gone AS (
        DELETE FROM ${marks} m USING k
        WHERE ${isSame(board.key, 'm', 'k')} AND m.no > (SELECT coalesce(max(no), 0) FROM place)
      )
      SELECT count(*)::int AS marks FROM place`,
    { isPrepared: false },
  )
}

/**
 * Whether a leaderboard has to be counted again. It has marks that were last counted long ago for its length, or none and is
 * longer than `threshold`.
 * @param length of the leaderboard, and null if it is gone
 * @param countedAt of its oldest mark, and null if it has none
 */
export const isStale = (
  length: string,
  countedAt: string,
  now: Date,
  threshold: number,
): Prisma.Sql => Prisma.sql`CASE WHEN ${Prisma.raw(countedAt)} IS NULL
  THEN ${Prisma.raw(length)} > ${threshold}::int
  ELSE ${Prisma.raw(countedAt)} < ${now}::timestamptz
    - coalesce(${Prisma.raw(length)}, 0)::float8 * interval '50 microseconds' END`
