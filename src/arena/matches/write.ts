/** Writes changes of matches with their events. */
import type { ArenaAgent, ArenaMatch, Prisma } from '../../generated/prisma/client.ts'
import { inTransaction, type Tx } from '../../kit/database/db.ts'
import type { Runtime, Work } from '../../kit/runtime.ts'
import type { EventData, EventKind } from '../../kit/streams/events.ts'
import { type NewEvent, writeMatchEvents } from './event.ts'
import { insertMatchEvents } from './match.sql.ts'

/** This node no longer holds the match: it was cancelled, or another node has taken it over. */
export class LeaseLostError extends Error {}

/** A match that this node plays. */
export type LeasedMatch = ArenaMatch & { leaseToken: string }

/** When a lease that is renewed now expires. */
export const leaseUntil = ({ clock, config }: Pick<Runtime, 'clock' | 'config'>): Date =>
  new Date(clock().getTime() + config.arena.leaseMs)

/**
 * Changes a match that this node holds and writes its events, in one transaction. Writes nothing if `seq` shows that
 * the match was changed since it was read.
 * @throws LeaseLostError
 */
export const advance = async (
  work: Work & Pick<Runtime, 'config'>,
  match: LeasedMatch,
  change: {
    data: Prisma.ArenaMatchUncheckedUpdateManyInput
    events: NewEvent[]
    /** Further writes in the same transaction. */
    also?: (tx: Tx) => Promise<unknown>
  },
): Promise<LeasedMatch> => {
  const { data, events, also } = change
  const seq = match.seq + events.length
  const next = { leaseUntil: leaseUntil(work), ...data, seq }
  await inTransaction(work, async (txWork) => {
    const { tx } = txWork
    const { count } = await tx.arenaMatch.updateMany({
      where: { id: match.id, leaseToken: match.leaseToken, seq: match.seq, endedAt: null },
      data: next,
    })
    if (count === 0) throw new LeaseLostError()
    if (events.length > 0) await writeMatchEvents(txWork, match.id, match.seq, events)
    await also?.(tx)
  })
  return { ...match, ...next } as LeasedMatch
}

/** Emits an event of a match to the partners of both agents. Validation matches have no events. */
export const announce = async <K extends EventKind>(
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  match: Pick<ArenaMatch, 'matchType' | 'environment' | 'partner1Id' | 'partner2Id'>,
  kind: K,
  data: EventData<K>,
): Promise<void> => {
  if (match.matchType === 'VALIDATION') return
  const partners = [...new Set([match.partner1Id, match.partner2Id])]
  await insertMatchEvents(tx, kind, match, { partnerIds: partners, data, now: clock() })
}

/** The summary of a match in its events. */
export const matchSummary = (match: ArenaMatch, agents: readonly ArenaAgent[]) => {
  const sideOf = (agentId: string) => ({
    id: agentId,
    displayName: agents.find(({ id }) => id === agentId)?.displayName ?? '',
  })
  return {
    matchId: match.id,
    matchType: match.matchType,
    gameType: match.gameType,
    bestOf: match.bestOf,
    status: match.status,
    agent1: sideOf(match.agent1Id),
    agent2: sideOf(match.agent2Id),
    agent1Score: match.agent1Score,
    agent2Score: match.agent2Score,
  }
}
