/** Decides which tables of the embedded database to vacuum or analyze now, and estimates the cost. */

/** The state of a table. Rows are counted since its last vacuum or analyze. */
export type Table = {
  name: string
  /** Live rows, as of the last time. */
  live: number
  dead: number
  inserted: number
  changed: number
  /** Pages of 8 KB: all, those that a vacuum skips, those of the indexes, and the number of the last time. */
  pages: number
  visiblePages: number
  indexPages: number
  knownPages: number
  /** Whether it was analyzed a moment ago. */
  isFresh: boolean
}

export type Slice = {
  sql: string
  table: string
  costMs: number
  /** Dead rows that remain; undefined if all is done. */
  leaves?: number
}

/** The longest slice while there are requests. */
const sliceMs = 30
/** Measured costs of a page that a vacuum reads and changes, of an index page, and of a page sampled by ANALYZE. */
const pageMs = 0.045
const indexPageMs = 0.02
const samplePageMs = 0.02
/** ANALYZE samples this many rows, each from another page of a large table. */
const sampled = 3_000
/** The number of new pages after which a vacuum is due, so that it fits into a slice. */
const newPages = 400

/** The threshold formula of autovacuum. */
const isOver = (count: number, base: number, share: number, live: number) =>
  count > base + share * live

/** Whether an earlier process has left many rows that are not counted. */
const isGrown = ({ pages, knownPages }: Table) => pages > 1.2 * knownPages + 50

const vacuumOf = (table: Table, when: When): Slice | null => {
  const { name, live, dead, inserted, pages, visiblePages, indexPages } = table
  const share = when.last ? 0.02 : 0.2
  const unseen = Math.max(0, pages - visiblePages)
  const isFull = isOver(dead, 50, share, live)
  const isFresh = isOver(inserted, 1_000, share, live) || (inserted > 1_000 && unseen >= newPages)
  if (!isFull && !isFresh && !isGrown(table)) return null
  const heapMs = unseen * pageMs
  const costMs = heapMs + (dead > 0 ? indexPages * indexPageMs : 0)
  // With as many dead rows as live ones, a long pause is better than a table of twice the size.
  const isLate = isOver(dead, 1_000, 1, live)
  if (when.idle || isLate || costMs <= sliceMs)
    return { sql: `VACUUM ${name}`, table: name, costMs }
  if (!isFresh || heapMs > sliceMs) return null
  const sql = `VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) ${name}`
  return { sql, table: name, costMs: heapMs, leaves: dead }
}

const analyzeOf = (table: Table, when: When): Slice | null => {
  const { name, live, changed, pages, isFresh } = table
  const isDue = !isFresh && isOver(changed, 50, when.last ? 0.02 : 0.1, live)
  if (!isDue && !isGrown(table)) return null
  const costMs = 2 + Math.min(pages, sampled) * samplePageMs
  // Statistics from half as many rows still give the current plans.
  const isLate = isOver(changed, 50, 1, live) || pages > 2 * table.knownPages
  return when.idle || isLate || costMs <= sliceMs
    ? { sql: `ANALYZE ${name}`, table: name, costMs }
    : null
}

export type When = {
  /** The database is hardly used. */
  idle: boolean
  /** The server is stopping. Smaller changes count, because the counters are lost. */
  last: boolean
}

/** The work to do now, the quickest first. */
export const chooseWork = (tables: Table[], when: When): Slice[] =>
  tables
    .flatMap((table) => [vacuumOf(table, when), analyzeOf(table, when)])
    .filter((slice) => slice !== null)
    .sort((a, b) => a.costMs - b.costMs)
