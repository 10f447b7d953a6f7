/** Statements of leaderboards whose ranks count from marks (docs/decisions/rank-checkpoints.md). */

import { Prisma } from '../generated/prisma/client.ts'
import {
  both,
  columnsOf,
  type ItemsOf,
  inputRows,
  returns,
  returnsModel,
  snake,
  statement,
  tableOf,
} from '../kit/database/statement.ts'

type Key = Record<string, 'uuid' | 'Environment'>
type Model = 'EndUser' | 'CampaignParticipant'

/** A kind of leaderboard. The order is by score, then by who reached it first, then by `external_id`. */
export type BoardOf<K extends Key, M extends Model> = {
  /** The model of those who are ranked. An index must have the columns of the key and of the order. */
  model: M
  score: string
  reachedAt: string
  /** The table of the marks: the columns of the key, and those of `LeaderboardMark`. */
  marks: string
  /** The columns that name one leaderboard, in both tables. */
  key: K
  /**
   * SQL of when those who are hidden are shown again, of an alias; true only for the rows of an index with the order of the
   * leaderboard, which are few.
   */
  hidden: (alias: string) => { isIndexed: string; until: string }
}

/** Above every score, and below. */
const highest = 9_223_372_036_854_775_807n
const lowest = -highest

const keyColumns = (key: Key): string[] => Object.keys(key).map(snake)

/** Rows of two aliases that belong to the same leaderboard. */
const isSame = (key: Key, a: string, b: string): Prisma.Sql =>
  Prisma.raw(
    keyColumns(key)
      .map((column) => `${a}.${column} = ${b}.${column}`)
      .join(' AND '),
  )

/** Whether somebody is hidden from the leaderboard now. */
const isHidden = (
  { hidden }: Pick<BoardOf<Key, Model>, 'hidden'>,
  alias: string,
  now: Date,
): Prisma.Sql => {
  const { isIndexed, until } = hidden(alias)
  return Prisma.sql`${Prisma.raw(isIndexed)} AND ${Prisma.raw(until)} > ${now}::timestamptz`
}

/**
 * A statement that returns ranks: the number of those ahead, plus one. The nearest mark has the number of those ahead
 * of it. Those between are counted here, with an index range for each tie and for the scores between; of them, those who
 * are hidden are subtracted, who have an index of their own. The limit tells the planner that there are few rows, so that it
 * does not JIT-compile the statement.
 */
export const rankStatement = <const K extends Key, M extends Model>(
  name: string,
  board: BoardOf<K, M>,
) => {
  const requested = inputRows({
    ...board.key,
    externalId: 'text',
    score: 'bigint',
    reachedAt: 'timestamptz',
  })
  const others = Prisma.raw(`(SELECT ${keyColumns(board.key).join(', ')}, external_id,
    ${board.score} AS score, ${board.reachedAt} AS reached_at FROM ${tableOf(board.model)}) o`)
  const isOfBoard = isSame(board.key, 'o', 'u')
  const [score, reachedAt] = [board.score, board.reachedAt].map((text) => Prisma.raw(`h.${text}`))
  return statement(
    name,
    returns({ n: 'int', rank: 'bigint' }),
    (rows: ItemsOf<typeof requested>, now: Date) => Prisma.sql`
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
        ) - (
          SELECT count(*) FROM ${Prisma.raw(tableOf(board.model))} h
          WHERE ${isSame(board.key, 'h', 'u')} AND ${isHidden(board, 'h', now)}
            AND ${score} >= u.score AND ${score} <= coalesce(m.score, ${highest}::bigint)
            AND (${score} > u.score OR (${reachedAt}, h.external_id) < (u.reached_at, u.external_id))
            AND (${score} = m.score AND ${reachedAt} < m.reached_at) IS NOT TRUE
        ) AS rank
      FROM (SELECT * FROM ${requested(rows)} LIMIT ${rows.length}::int) u
      LEFT JOIN LATERAL (
        SELECT * FROM ${Prisma.raw(board.marks)} a
        WHERE ${isSame(board.key, 'a', 'u')} AND a.score >= u.score
          AND (a.score > u.score OR a.reached_at <= u.reached_at)
        ORDER BY a.score, a.ahead DESC LIMIT 1
      ) m ON true`,
  )
}

/** A statement that returns how many are hidden from leaderboards, in the order of the list. */
export const hiddenStatement = <const K extends Key, M extends Model>(
  name: string,
  board: BoardOf<K, M>,
) => {
  const keys = inputRows(board.key)
  return statement(
    name,
    returns({ hidden: 'int' }),
    (boards: ItemsOf<typeof keys>, now: Date) => Prisma.sql`
      SELECT (SELECT count(*) FROM ${Prisma.raw(tableOf(board.model))} h
        WHERE ${isSame(board.key, 'h', 'k')} AND ${isHidden(board, 'h', now)})::int AS hidden
      FROM ${keys(boards, 'k')} ORDER BY k.n`,
  )
}

/**
 * A statement that lists parts of leaderboards. A part begins after a place, or a number of places from the top, counted
 * from the nearest mark. Each branch is an index range: the same score and time, the same score, and the rest.
 * @param isUp whether parts go up from their places, the closest first
 */
export const listStatement = <const K extends Key, M extends Model>(
  name: string,
  board: BoardOf<K, M>,
  isUp: boolean,
) => {
  const requested = inputRows({
    ...board.key,
    take: 'int',
    skip: 'int',
    score: 'bigint?',
    reachedAt: 'timestamptz?',
    externalId: 'text?',
  })
  const [score, reachedAt] = [board.score, board.reachedAt].map((text) => Prisma.raw(`p.${text}`))
  const [ofScore, ofTies] = isUp ? ['ASC', 'DESC'] : ['DESC', 'ASC']
  const order = Prisma.sql`${score} ${Prisma.raw(ofScore)}, ${reachedAt} ${Prisma.raw(ofTies)}, p.external_id ${Prisma.raw(ofTies)}`
  const [further, later] = (isUp ? ['>', '<'] : ['<', '>']).map((text) => Prisma.raw(text))
  const branch = (condition: Prisma.Sql, now: Date) => Prisma.sql`(
    SELECT p.* FROM ${Prisma.raw(tableOf(board.model))} p WHERE ${isSame(board.key, 'p', 'k')} AND ${condition}
      AND (${isHidden(board, 'p', now)}) IS NOT TRUE
    ORDER BY ${order} LIMIT k.take::bigint + k.skip)`
  const start = isUp ? lowest : highest
  // Marks count from the top, so they do not help a list that goes up.
  const atNumber = Prisma.raw(isUp ? 'false' : 'k.score IS NULL')
  return statement(
    name,
    both(returns({ n: 'int' }), returnsModel(board.model)),
    (parts: ItemsOf<typeof requested>, now: Date) => Prisma.sql`
      SELECT k.n, ${columnsOf(board.model, 'p')} FROM (
        SELECT k.n, ${Prisma.raw(
          keyColumns(board.key)
            .map((column) => `k.${column}`)
            .join(', '),
        )},
          k.take, k.skip - coalesce(m.ahead, 0) AS skip, coalesce(k.score, m.score) AS score,
          coalesce(k.reached_at, m.reached_at) AS reached_at,
          coalesce(k.external_id, '') AS external_id
        FROM (SELECT * FROM ${requested(parts)} LIMIT ${parts.length}::int) k LEFT JOIN LATERAL (
          SELECT * FROM ${Prisma.raw(board.marks)} a
          WHERE ${isSame(board.key, 'a', 'k')} AND ${atNumber} AND a.ahead <= k.skip
          ORDER BY a.ahead DESC LIMIT 1
        ) m ON true
      ) k CROSS JOIN LATERAL (
        SELECT * FROM (
          ${branch(Prisma.sql`${score} = k.score AND ${reachedAt} = k.reached_at AND p.external_id ${later} k.external_id`, now)}
          UNION ALL ${branch(Prisma.sql`${score} = k.score AND ${reachedAt} ${later} k.reached_at`, now)}
          UNION ALL ${branch(Prisma.sql`${score} ${further} coalesce(k.score, ${start}::bigint)`, now)}
        ) p ORDER BY ${order} LIMIT k.take OFFSET k.skip
      ) p ORDER BY k.n, ${order}`,
  )
}

/**
 * A statement that counts one leaderboard. It sets a mark at every place from `first` on that is a multiple of `every`.
 */
export const markStatement = <const K extends Key, M extends Model>(
  name: string,
  board: BoardOf<K, M>,
) => {
  const keys = inputRows(board.key)
  const [marks, ranked, score, reachedAt] = [
    board.marks,
    tableOf(board.model),
    board.score,
    board.reachedAt,
  ].map((text) => Prisma.raw(text)) as [Prisma.Sql, Prisma.Sql, Prisma.Sql, Prisma.Sql]
  const columns = Prisma.raw(keyColumns(board.key).join(', '))
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
          FROM ${ranked} o WHERE ${isSame(board.key, 'o', 'k')} AND NOT EXISTS (SELECT FROM ${ranked} h
            WHERE ${isSame(board.key, 'h', 'k')} AND ${isHidden(board, 'h', now)} AND h.id = o.id)
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
 * Whether a leaderboard has to be counted again: its marks are too old for its length, or it has none and is longer
 * than `threshold`.
 * @param length SQL of the length of the leaderboard; null if it is gone
 * @param countedAt SQL of the time of its oldest mark; null if it has none
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
