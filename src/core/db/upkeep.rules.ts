/** Which tables of the embedded database to look after now, and what that costs. */

/** What is known of a table. Rows are counted since the last time it was looked after. */
export type Table = {
  name: string
  /** Rows, as of the last time. */
  live: number
  dead: number
  inserted: number
  changed: number
  /** Pages of 8 KB: all, those that a vacuum skips, those of the indexes, and how many there were last time. */
  pages: number
  visiblePages: number
  indexPages: number
  knownPages: number
  /** Statistics were made a moment ago. */
  isFresh: boolean
}

export type Slice = {
  sql: string
  table: string
  costMs: number
  /** Dead rows that remain; undefined when all that could be done is done. */
  leaves?: number
}

/** Nobody should wait for longer than this while there is other work. */
const sliceMs = 30
/** Measured: a page that a vacuum reads and changes, one of an index, and one that statistics are made of. */
const pageMs = 0.045
const indexPageMs = 0.02
const samplePageMs = 0.02
/** Statistics are made of so many rows, each of another page of a large table. */
const sampled = 3_000
/** New pages that are vacuumed at once, so that their number stays within a slice. */
const newPages = 400

/** As autovacuum judges. */
const isOver = (count: number, base: number, share: number, live: number) =>
  count > base + share * live

/** Whether there are many rows that nobody has counted: an earlier process has left them. */
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
  // Dead rows are as many as live ones: an unpleasant moment is better than a table twice its size.
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
  // Statistics of half as many rows still give the plans of today.
  const isLate = isOver(changed, 50, 1, live) || pages > 2 * table.knownPages
  return when.idle || isLate || costMs <= sliceMs
    ? { sql: `ANALYZE ${name}`, table: name, costMs }
    : null
}

export type When = {
  /** Hardly anybody uses the database. */
  idle: boolean
  /** The server stops: smaller changes count, since the counters end with it. */
  last: boolean
}

/** What is to be done now, the quickest first. */
export const chooseWork = (tables: Table[], when: When): Slice[] =>
  tables
    .flatMap((table) => [vacuumOf(table, when), analyzeOf(table, when)])
    .filter((slice) => slice !== null)
    .sort((a, b) => a.costMs - b.costMs)
