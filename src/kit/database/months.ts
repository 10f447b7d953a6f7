/**
 * Tables that have a partition for each month of their ids, which begin with the time. Old rows are deleted day by day,
 * and a month that is over is dropped, which gives its space back to the disk. The default partition `…_rest` takes
 * every id without a month, so a write never fails.
 */
import type pg from 'pg'

/** Months that are made ahead of the current one. */
const wantedAhead = 2

type Partition = { name: string; month: string }
export type MonthlyTable = {
  table: string
  /** The id column. The time in it decides the partition. */
  key: string
  rest: string
  restBytes: number
  /** In order. */
  months: Partition[]
}

/** The month of a moment, in UTC: `2026-11`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)
const startOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)
/** @param by how many months later */
const later = (month: string, by: number): string => {
  const start = startOf(month)
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by)))
}

/** The smallest id of a time. */
const idFrom = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The smallest id of a month, and that of the next one. */
export const idsOf = (month: string): { from: string; to: string } => ({
  from: idFrom(startOf(month)),
  to: idFrom(startOf(later(month, 1))),
})

/** The end of a month, exclusive: all its ids are older. */
export const endOf = (month: string): Date => startOf(later(month, 1))

export const partitionName = (table: string, month: string) => `${table}_${month.replace('-', '_')}`

const tablesOf = `
  SELECT p.relname AS table, substring(pg_get_partkeydef(p.oid) FROM '\\((\\w+)\\)') AS key, r.relname AS rest,
    pg_relation_size(r.oid)::float8 AS "restBytes", coalesce(json_agg(json_build_object('name', c.relname, 'month',
      replace(right(c.relname, 7), '_', '-')) ORDER BY c.relname) FILTER (WHERE c.oid <> r.oid), '[]') AS months
  FROM pg_partitioned_table t JOIN pg_class p ON p.oid = t.partrelid JOIN pg_class r ON r.oid = t.partdefid
    JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = i.inhrelid
  WHERE p.relnamespace = 'public'::regnamespace GROUP BY p.oid, r.oid ORDER BY p.relname`

/** The tables with partitions, by name. */
export const readMonthlyTables = async (
  pool: Pick<pg.Pool | pg.ClientBase, 'query'>,
): Promise<MonthlyTable[]> => (await pool.query({ text: tablesOf })).rows

/** The current month and those ahead that a table lacks. */
export const missingMonths = ({ months }: MonthlyTable, now: Date): string[] => {
  const made = new Set(months.map(({ month }) => month))
  const wanted = Array.from({ length: wantedAhead + 1 }, (_, by) => later(monthOf(now), by))
  return wanted.filter((month) => !made.has(month))
}

/** How many months after the current one a table has: 0 if the next one is missing. */
const monthsAheadOf = ({ months }: MonthlyTable, now: Date): number => {
  const made = new Set(months.map(({ month }) => month))
  let ahead = 0
  while (made.has(later(monthOf(now), ahead + 1))) ahead++
  return ahead
}

/** The minimum over all tables. */
export const monthsAhead = (tables: MonthlyTable[], now: Date): number =>
  Math.min(...tables.map((table) => monthsAheadOf(table, now)))
