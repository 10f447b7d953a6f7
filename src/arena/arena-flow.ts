/**
 * Points that flow between partners are reserved when a seat is taken, so that no result can pass a cap
 * (decision 0105). Locks are taken after those on sessions and before those on users, in the order of
 * partner, game and day.
 */
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { ArenaAcceptance } from '../generated/prisma/client.ts'
import {
  dayOf,
  type Flow,
  type Flows,
  flowChanges,
  flowsOf,
  isSameTerms,
  isShareable,
  partnersOf,
} from './arena-flow.rules.ts'
import type { SessionWithPlayers } from './arena-session.ts'

type Accepted = Omit<ArenaAcceptance, 'id' | 'environment' | 'acceptedAt'>
type Reserved = Flow & { partnerId: string; gameId: string; day: string }

/** Somebody who wants a seat. */
type Wish = { session: SessionWithPlayers; partnerId: string }

const nameOf = (...parts: string[]) => parts.join(' ')

/** The sessions that a list of wishes could make sessions of several partners, with all those partners. */
const sharedBy = (wishes: Wish[]) =>
  [...Map.groupBy(wishes, ({ session }) => session)].flatMap(([session, group]) => {
    const partners = partnersOf(session)
    for (const { partnerId } of group) partners.add(partnerId)
    return partners.size > 1 && session.status === 'WAITING' && isShareable(session)
      ? [...partners].map((partnerId) => ({ session, partnerId }))
      : []
  })

const lockAcceptances = async ({ tx }: Work, wishes: Wish[]): Promise<Map<string, Accepted>> => {
  const rows = wishes.map(({ session, partnerId }) => ({
    partner_id: partnerId,
    game_id: session.gameId,
  }))
  const found = await tx.$queryRaw<Accepted[]>`/* lock_acceptances */
    SELECT a.partner_id AS "partnerId", a.game_id AS "gameId", a.entry_fee AS "entryFee",
      a.developer_revenue_share AS "developerRevenueShare", a.result_policy::text AS "resultPolicy",
      a.max_points_in_per_day AS "maxPointsInPerDay",
      a.max_points_out_per_day AS "maxPointsOutPerDay", a.withdrawn_at AS "withdrawnAt"
    FROM arena_acceptance a WHERE (a.partner_id, a.game_id) IN (
      SELECT partner_id, game_id FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS w (partner_id uuid, game_id uuid))
    ORDER BY a.partner_id, a.game_id FOR UPDATE`
  return new Map(found.map((one) => [nameOf(one.partnerId, one.gameId), one]))
}

const lockFlows = async ({ tx }: Work, wishes: Wish[]): Promise<Map<string, Flow>> => {
  const rows = wishes.map(({ session, partnerId }) => ({
    partner_id: partnerId,
    game_id: session.gameId,
    day: dayOf(session),
  }))
  const found = await tx.$queryRaw<Reserved[]>`/* lock_flows */
    SELECT f.partner_id AS "partnerId", f.game_id AS "gameId", f.day::text AS day,
      f.points_in AS "in", f.points_out AS "out"
    FROM arena_flow f WHERE (f.partner_id, f.game_id, f.day) IN (
      SELECT partner_id, game_id, day FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS w (partner_id uuid, game_id uuid, day date))
    ORDER BY f.partner_id, f.game_id, f.day FOR UPDATE`
  return new Map(found.map((one) => [nameOf(one.partnerId, one.gameId, one.day), one]))
}

/** What can be reserved for a list of wishes, while nobody else can. */
export type FlowBook = {
  accepted: Map<string, Accepted>
  flows: Map<string, Flow>
  reserved: (Reserved & Pick<Accepted, 'maxPointsInPerDay' | 'maxPointsOutPerDay'>)[]
}

/** Two statements; none where each session stays of one partner. */
export const lockFlowBook = async (work: Work, wishes: Wish[]): Promise<FlowBook> => {
  const shared = sharedBy(wishes)
  const accepted = shared.length > 0 ? await lockAcceptances(work, shared) : new Map()
  const flows = accepted.size > 0 ? await lockFlows(work, shared) : new Map()
  return { accepted, flows, reserved: [] }
}

const unknownBound = { limit: null, current: null }

/**
 * Reserves what one more player of a partner can let flow. Answers why not: SESSION_OF_ONE_PARTNER or
 * POINT_CAP_REACHED; then nothing is reserved.
 */
export const reserveFlows = (
  { accepted, flows, reserved }: FlowBook,
  { session, partnerId }: Wish,
): TesseraError | null => {
  const seated = { ...session, players: [...session.players, { partnerId, isWinner: false }] }
  const partners = [...partnersOf(seated)]
  if (session.entryFee === 0 || partners.length === 1) return null
  const accepts = (partner: string) => {
    const found = accepted.get(nameOf(partner, session.gameId))
    return found !== undefined && !found.withdrawnAt && isSameTerms(found, session)
  }
  if (!isShareable(session) || !partners.every(accepts))
    return new TesseraError('SESSION_OF_ONE_PARTNER')
  const changes = flowChanges(flowsOf(session), flowsOf(seated)).map((change) => {
    const place = { gameId: session.gameId, day: dayOf(session) }
    const name = nameOf(change.partnerId, place.gameId, place.day)
    const was = flows.get(name) ?? { in: 0, out: 0 }
    const caps = accepted.get(nameOf(change.partnerId, place.gameId)) as Accepted
    const after = { in: was.in + change.in, out: was.out + change.out }
    return { name, after, caps, change: { ...change, ...place } }
  })
  for (const { change, after, caps } of changes) {
    // What another partner lets flow is not for this caller.
    const isOwn = change.partnerId === partnerId
    const refuse = (limit: number, current: number) =>
      new TesseraError('POINT_CAP_REACHED', isOwn ? { limit, current } : unknownBound)
    if (change.in > 0 && after.in > caps.maxPointsInPerDay)
      return refuse(caps.maxPointsInPerDay, after.in - change.in)
    if (change.out > 0 && after.out > caps.maxPointsOutPerDay)
      return refuse(caps.maxPointsOutPerDay, after.out - change.out)
  }
  for (const { name, after, caps, change } of changes) {
    flows.set(name, after)
    const { maxPointsInPerDay, maxPointsOutPerDay } = caps
    reserved.push({ ...change, maxPointsInPerDay, maxPointsOutPerDay })
  }
  return null
}

/** Writes what was reserved, in one statement. The database checks it against the caps once more. */
export const saveFlows = async ({ tx }: Work, { reserved }: FlowBook): Promise<void> => {
  if (reserved.length === 0) return
  const rows = reserved.map((change) => ({
    ...rowOf(change),
    max_in: change.maxPointsInPerDay,
    max_out: change.maxPointsOutPerDay,
  }))
  await tx.$executeRaw`/* reserve_flows */
    INSERT INTO arena_flow AS f (partner_id, environment, game_id, day, points_in, points_out,
      max_in, max_out)
    SELECT partner_id, 'LIVE', game_id, day, sum(points_in), sum(points_out), max_in, max_out
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (partner_id uuid, game_id uuid,
      day date, points_in int, points_out int, max_in int, max_out int)
    GROUP BY partner_id, game_id, day, max_in, max_out ORDER BY partner_id, game_id, day
    ON CONFLICT (partner_id, game_id, day) DO UPDATE SET
      points_in = f.points_in + excluded.points_in,
      points_out = f.points_out + excluded.points_out,
      max_in = CASE WHEN excluded.points_in > 0 THEN excluded.max_in ELSE f.max_in END,
      max_out = CASE WHEN excluded.points_out > 0 THEN excluded.max_out ELSE f.max_out END`
}

const rowOf = ({ partnerId, gameId, day, ...flow }: Reserved) => ({
  partner_id: partnerId,
  game_id: gameId,
  day,
  points_in: flow.in,
  points_out: flow.out,
})

/**
 * Gives back what sessions had reserved and do not need any more: a player has left, the session has
 * expired, or its result is known. One statement; none where nothing was reserved.
 */
export const releaseFlows = async (
  { tx }: Work,
  changed: { session: SessionWithPlayers; before: Flows }[],
): Promise<void> => {
  const rows = changed.flatMap(({ session, before }) =>
    flowChanges(before, flowsOf(session)).map((change) =>
      rowOf({ ...change, gameId: session.gameId, day: dayOf(session) }),
    ),
  )
  if (rows.length === 0) return
  await tx.$executeRaw`/* release_flows */
    WITH input AS MATERIALIZED (
      SELECT partner_id, game_id, day, sum(points_in) AS points_in, sum(points_out) AS points_out
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (partner_id uuid, game_id uuid,
        day date, points_in int, points_out int)
      GROUP BY partner_id, game_id, day
    ), locked AS MATERIALIZED (
      SELECT f.partner_id, f.game_id, f.day FROM arena_flow f
      WHERE (f.partner_id, f.game_id, f.day) IN (SELECT partner_id, game_id, day FROM input)
      ORDER BY f.partner_id, f.game_id, f.day FOR UPDATE
    )
    UPDATE arena_flow f SET points_in = f.points_in + i.points_in,
      points_out = f.points_out + i.points_out
    FROM input i JOIN locked USING (partner_id, game_id, day)
    WHERE (f.partner_id, f.game_id, f.day) = (i.partner_id, i.game_id, i.day)`
}
