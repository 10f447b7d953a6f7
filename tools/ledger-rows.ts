/** The rows of a ledger archive: which entries are old, and how checkpoints take their place. */
import type pg from 'pg'
import { userLockOrder } from '../src/users/end-user.sql.ts'
import { type Checkpoint, isSame, type Segment, sealAll, segmentEntries } from './ledger-file.ts'

/** Maximum users that one statement examines, and rows that it reads. */
const usersAtOnce = 500
const rowsAtOnce = 5 * segmentEntries

/** Maximum users and entries that one step deletes. */
const stepUsers = 200
const stepEntries = segmentEntries

/** An entry `l` as a line of JSON. `metadata` is the text that was stored, without line breaks between its parts. */
const lineOf = `(SELECT row_to_json(line)::text FROM (SELECT l.entry_no AS "entryNo", l.id, l.event_type AS "eventType", l.points,
  l.balance_after AS "balanceAfter", l.account, l.reference, l.source_id AS "sourceId",
  regexp_replace(l.metadata::text, E'[\\\\n\\\\r]+', ' ', 'g')::json AS metadata,
  to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt") line)`

/** Columns of a checkpoint `c`, of a user `u` who may have none. */
const checkpointOf = `u.id AS "userId", u.partner_id AS "partnerId", u.environment, coalesce(c.entries, 0) AS entries,
  coalesce(c.points, 0)::float8 AS points, coalesce(c.earned, 0)::float8 AS earned, encode(c.sha256, 'hex') AS sha256`

const rowsOf = async <T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<T[]> => (await client.query<T>({ text, values })).rows

type Row = Checkpoint & Record<string, unknown>

/** The keys are in the order of the columns in a file: checkpoints are compared as JSON. */
const checkpointIn = (row: Row): Checkpoint => {
  const { userId, partnerId, environment, entries, points, earned, sha256 } = row
  return { userId, partnerId, environment, entries, points, earned, sha256 }
}

/** The number before the first entry since a time. `first_number_since` begins a day earlier. */
const lastOld = `first_number_since(u.id, 'entry', $2::timestamptz + interval '1 day') - 1`

const usersAfter = `SELECT ${checkpointOf}, ${lastOld} AS last
  FROM (SELECT * FROM end_user WHERE id > $1::uuid ORDER BY id LIMIT ${usersAtOnce}) u
  LEFT JOIN ledger_checkpoint c ON c.user_id = u.id ORDER BY u.id`

const linesOfRanges = `SELECT k.n::int AS n, l.created_at < $4::timestamptz AS "isOld", ${lineOf} AS line
  FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY k(user_id, first, last, n)
  CROSS JOIN LATERAL (SELECT * FROM ledger_entry WHERE user_id = k.user_id
    AND entry_no BETWEEN k.first AND k.last ORDER BY entry_no LIMIT ${segmentEntries}) l
  ORDER BY k.n, l.entry_no`

type Old = { checkpoint: Checkpoint; last: number }

/** Entries of users, up to the first one that is not old. */
const readSegments = async (
  client: pg.ClientBase,
  users: Old[],
  until: Date,
): Promise<{ segments: Segment[]; rest: Old[] }> => {
  const values = [
    users.map(({ checkpoint }) => checkpoint.userId),
    users.map(({ checkpoint }) => checkpoint.entries + 1),
    users.map(({ last }) => last),
    until,
  ]
  type Line = { n: number; isOld: boolean; line: string }
  const byUser = Map.groupBy(await rowsOf<Line>(client, linesOfRanges, values), ({ n }) => n)
  const segments: Segment[] = []
  const rest: Old[] = []
  for (const [i, { checkpoint, last }] of users.entries()) {
    const found = byUser.get(i + 1) ?? []
    const end = found.findIndex(({ isOld }) => !isOld)
    const lines = (end < 0 ? found : found.slice(0, end)).map(({ line }) => line)
    if (lines.length === 0) continue
    const after = sealAll(checkpoint, lines)
    segments.push({ before: checkpoint, lines, after })
    if (end < 0 && after.entries < last) rest.push({ checkpoint: after, last })
  }
  return { segments, rest }
}

/** Batches of users whose next segments are at most `rowsAtOnce` rows together. */
const packed = function* (users: Old[]): Generator<Old[]> {
  let [list, rows]: [Old[], number] = [[], 0]
  for (const user of users) {
    const next = Math.min(user.last - user.checkpoint.entries, segmentEntries)
    if (rows + next > rowsAtOnce) {
      yield list
      list = []
      rows = 0
    }
    list.push(user)
    rows += next
  }
  if (list.length > 0) yield list
}

/** All segments of these users, user by user. Keeps one batch in memory, and one segment of a large user. */
const segmentsOf = async function* (
  client: pg.ClientBase,
  users: Old[],
  until: Date,
): AsyncGenerator<Segment> {
  for (const list of packed(users)) {
    const { segments, rest } = await readSegments(client, list, until)
    const more = new Map(rest.map((one) => [one.checkpoint.userId, one]))
    for (const segment of segments) {
      yield segment
      let next = more.get(segment.before.userId)
      while (next) {
        const read = await readSegments(client, [next], until)
        yield* read.segments
        next = read.rest[0]
      }
    }
  }
}

/** Reads the entries to archive, in the order of users and of their entries. Blocks nobody. */
export const readOld = async function* (
  client: pg.ClientBase,
  until: Date,
  onUsers: (users: number) => void,
): AsyncGenerator<Segment> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (let done = 0; ; ) {
    type User = Row & { last: number }
    const users = await rowsOf<User>(client, usersAfter, [after, until])
    const last = users.at(-1)
    if (!last) return
    const old = users
      .filter(({ last, entries }) => last > entries)
      .map((user) => ({ checkpoint: checkpointIn(user), last: user.last }))
    yield* segmentsOf(client, old, until)
    done += users.length
    onUsers(done)
    after = last.userId
  }
}

const checkpointsOf = `SELECT ${checkpointOf}
  FROM end_user u LEFT JOIN ledger_checkpoint c ON c.user_id = u.id WHERE u.id = ANY ($1::uuid[])`

/** The checkpoints of users who exist. Those without one have zeros. */
export const readCheckpoints = async (
  client: pg.ClientBase,
  userIds: string[],
): Promise<Map<string, Checkpoint>> => {
  const rows = await rowsOf<Row>(client, checkpointsOf, [userIds])
  return new Map(rows.map((row) => [row.userId, checkpointIn(row)]))
}

const writeCheckpoints = `INSERT INTO ledger_checkpoint AS c (user_id, partner_id, environment, entries, points, earned, sha256, until)
  SELECT "userId", "partnerId", environment, entries, points, earned, decode(sha256, 'hex'), $2
  FROM json_to_recordset($1::json) AS k ("userId" uuid, "partnerId" uuid, environment "Environment", entries int, points bigint,
    earned bigint, sha256 text)
  ON CONFLICT (user_id) DO UPDATE SET entries = excluded.entries, points = excluded.points, earned = excluded.earned,
    sha256 = excluded.sha256, until = excluded.until`

const deleteEntries = `WITH gone AS (
    DELETE FROM ledger_entry l USING unnest($1::uuid[], $2::int[], $3::int[]) k(user_id, first, last)
    WHERE l.user_id = k.user_id AND l.entry_no BETWEEN k.first AND k.last
    RETURNING l.*
  ), kept AS (
    INSERT INTO archived_reference (partner_id, hash)
    SELECT partner_id, reference_hash(environment, event_type, reference) AS hash FROM gone WHERE reference IS NOT NULL
    ORDER BY partner_id, hash
  ), highest AS (
    INSERT INTO highest_archived_reference AS h (partner_id, environment, event_type, reference)
    SELECT partner_id, environment, event_type, max(reference COLLATE "C") FROM gone WHERE reference IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (partner_id, environment, event_type) DO UPDATE
      SET reference = greatest(h.reference COLLATE "C", excluded.reference COLLATE "C")
  ), summed AS (
    INSERT INTO archived_account AS a (partner_id, environment, account, event_type, entries, with_reference, received, given)
    SELECT partner_id, environment, account, event_type, count(*), count(reference), coalesce(sum(points) FILTER (WHERE points > 0), 0),
      -coalesce(sum(points) FILTER (WHERE points < 0), 0)
    FROM gone GROUP BY 1, 2, 3, 4
    ON CONFLICT (partner_id, environment, account, event_type) DO UPDATE SET entries = a.entries + excluded.entries,
      with_reference = a.with_reference + excluded.with_reference, received = a.received + excluded.received,
      given = a.given + excluded.given
  )
  SELECT l.user_id AS "userId", ${lineOf} AS line FROM gone l ORDER BY l.user_id, l.entry_no`

/** The last statement of a step, so that users are locked only briefly, not while entries are deleted. */
const countArchived = `WITH locked AS (
    SELECT id FROM end_user WHERE id = ANY ($1::uuid[]) ORDER BY ${userLockOrder.sql} FOR NO KEY UPDATE)
  UPDATE end_user u SET archived_entries = c.entries FROM locked JOIN ledger_checkpoint c ON c.user_id = locked.id
  WHERE u.id = locked.id`

/** The database and a file contradict each other. The step changed nothing. */
export class ContradictionError extends Error {}

const deleteSegments = async (
  client: pg.ClientBase,
  segments: Segment[],
  until: Date,
): Promise<void> => {
  const afters = segments.map(({ after }) => after)
  const userIds = afters.map(({ userId }) => userId)
  await client.query({ text: writeCheckpoints, values: [JSON.stringify(afters), until] })
  const firsts = segments.map(({ before }) => before.entries + 1)
  const lasts = afters.map(({ entries }) => entries)
  type Line = { userId: string; line: string }
  const lines = await rowsOf<Line>(client, deleteEntries, [userIds, firsts, lasts])
  const byUser = Map.groupBy(lines, ({ userId }) => userId)
  for (const { before, after } of segments) {
    const found = (byUser.get(after.userId) ?? []).map(({ line }) => line)
    if (!isSame(sealAll(before, found), after))
      throw new ContradictionError(
        `The entries of user ${after.userId} are not those of the file. They were not deleted.`,
      )
  }
  await client.query({ text: countArchived, values: [userIds] })
}

/** Which segments continue the checkpoint of their user. Those that were taken over before do not. */
const openOf = (segments: Segment[], known: Map<string, Checkpoint>) =>
  segments.filter(({ before, after }) => {
    const now = known.get(before.userId)
    if (!now || now.entries >= after.entries) return false
    if (isSame(now, before)) return true
    throw new ContradictionError(
      `The file does not continue the checkpoint of user ${before.userId}. Nothing more was deleted.`,
    )
  })

/**
 * Replaces entries by checkpoints in one transaction. Segments that were taken over before are skipped.
 * @returns the entries that were deleted
 * @throws ContradictionError when the file does not have what would be deleted
 */
const takeStep = async (
  client: pg.ClientBase,
  segments: Segment[],
  until: Date,
): Promise<number> => {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock('ledger_checkpoint'::regclass::oid::int, 0)`)
    const known = await readCheckpoints(
      client,
      segments.map(({ before }) => before.userId),
    )
    const open = openOf(segments, known)
    if (open.length > 0) await deleteSegments(client, open, until)
    await client.query('COMMIT')
    return open.reduce((sum, { lines }) => sum + lines.length, 0)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * Takes over the segments of a file in steps, each in its own transaction. It can be killed at any time and called
 * again.
 * @param onStep called after each step with its number of entries and its milliseconds
 * @returns the entries that were deleted
 */
export const takeOver = async (
  client: pg.ClientBase,
  segments: AsyncIterable<Segment>,
  until: Date,
  onStep: (entries: number, ms: number) => Promise<void>,
): Promise<number> => {
  let deleted = 0
  let [step, size]: [Segment[], number] = [[], 0]
  const end = async () => {
    if (step.length === 0) return
    const startedAt = performance.now()
    deleted += await takeStep(client, step, until)
    await onStep(size, performance.now() - startedAt)
    step = []
    size = 0
  }
  for await (const segment of segments) {
    const isFull = step.length >= stepUsers || size + segment.lines.length > stepEntries
    if (isFull || step.at(-1)?.before.userId === segment.before.userId) await end()
    step.push(segment)
    size += segment.lines.length
  }
  await end()
  return deleted
}
