/**
 * Points that flow between partners are reserved when a seat is taken, so that no result can exceed a cap
 * (docs/decisions/points-between-partners-are-reserved.md). Rows are locked after sessions and before users, in the
 * order of partner, game and day.
 */
import type { ArenaAcceptance } from '../../generated/prisma/client.ts'
import { TesseraError } from '../../kit/errors.ts'
import type { Transaction, Work } from '../../kit/runtime.ts'
import {
  dayOf,
  type Flow,
  type Flows,
  flowChanges,
  flowsOf,
  isSameTerms,
  isShareable,
  partnersOf,
} from '../developer-games/flow.rules.ts'
import {
  addReleases,
  addReservations,
  selectAcceptancesForUpdate,
  selectFlowsForUpdate,
} from './flow.sql.ts'
import type { SessionWithPlayers } from './session.ts'

type Reserved = Flow & { partnerId: string; gameId: string; day: string }

/** A request for a seat for a player of a partner. */
type Wish = { session: SessionWithPlayers; partnerId: string }

const nameOf = (...parts: string[]) => parts.join(' ')

/** The sessions that may have players of several partners after these requests, each with all its partners. */
const sharedBy = (wishes: Wish[]) =>
  [...Map.groupBy(wishes, ({ session }) => session)].flatMap(([session, group]) => {
    const partners = partnersOf(session)
    for (const { partnerId } of group) partners.add(partnerId)
    return partners.size > 1 && session.status === 'WAITING' && isShareable(session)
      ? [...partners].map((partnerId) => ({ session, partnerId }))
      : []
  })

const keysOf = (wishes: Wish[]) =>
  wishes.map(({ session, partnerId }) => ({
    partnerId,
    gameId: session.gameId,
    day: dayOf(session),
  }))

/** The locked rows that limit what a list of requests can reserve, and what it has reserved so far. */
type FlowBook = {
  accepted: Map<string, ArenaAcceptance>
  flows: Map<string, Flow>
  reserved: (Reserved & Pick<ArenaAcceptance, 'maxPointsInPerDay' | 'maxPointsOutPerDay'>)[]
}

/** Locks the rows with at most two statements, or none if every session stays with one partner. */
export const lockFlowBook = async ({ tx }: Transaction, wishes: Wish[]): Promise<FlowBook> => {
  const keys = keysOf(sharedBy(wishes))
  const accepted = keys.length > 0 ? await selectAcceptancesForUpdate(tx, keys) : []
  const flows = accepted.length > 0 ? await selectFlowsForUpdate(tx, keys) : []
  return {
    accepted: new Map(accepted.map((item) => [nameOf(item.partnerId, item.gameId), item])),
    flows: new Map(flows.map((flow) => [nameOf(flow.partnerId, flow.gameId, flow.day), flow])),
    reserved: [],
  }
}

/** Locks what a player who leaves one of these sessions may release. Nothing if each stays with one partner. */
export const lockFlowsOf = async (
  { tx }: Transaction,
  sessions: Iterable<SessionWithPlayers>,
): Promise<void> => {
  const keys = [...sessions].flatMap((session) => {
    const partners = [...partnersOf(session)]
    return partners.length > 1 ? keysOf(partners.map((partnerId) => ({ session, partnerId }))) : []
  })
  if (keys.length > 0) await selectFlowsForUpdate(tx, keys)
}

const unknownBound = { limit: null, current: null }

/**
 * Reserves the points that can flow because of one more player of a partner. Returns null, or
 * SESSION_OF_ONE_PARTNER or POINT_CAP_REACHED if nothing was reserved.
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
    const caps = accepted.get(nameOf(change.partnerId, place.gameId)) as ArenaAcceptance
    const after = { in: was.in + change.in, out: was.out + change.out }
    return { name, after, caps, change: { ...change, ...place } }
  })
  for (const { change, after, caps } of changes) {
    // The caller must not see the numbers of another partner.
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

/** Writes the reservations in one statement. The database checks them against the caps again. */
export const saveFlows = async ({ tx }: Transaction, { reserved }: FlowBook): Promise<void> => {
  if (reserved.length === 0) return
  const rows = reserved.map((change) => ({
    ...rowOf(change),
    maxIn: change.maxPointsInPerDay,
    maxOut: change.maxPointsOutPerDay,
  }))
  await addReservations(tx, rows)
}

const rowOf = ({ partnerId, gameId, day, ...flow }: Reserved) => ({
  partnerId,
  gameId,
  day,
  pointsIn: flow.in,
  pointsOut: flow.out,
})

/**
 * Releases reservations that sessions no longer need: a player has left, the session has expired, or its
 * result is known. One statement, or none.
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
  if (rows.length > 0) await addReleases(tx, rows)
}
