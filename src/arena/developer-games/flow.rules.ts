/**
 * Which points can flow between partners in a session, and on what terms
 * (docs/decisions/points-between-partners-are-reserved.md).
 */
import type { ArenaResultPolicy, ArenaSessionStatus } from '../../generated/prisma/enums.ts'

/** Points that a partner's users win from others (`in`) and lose to others (`out`). */
export type Flow = { in: number; out: number }
export type Flows = Map<string, Flow>

type Stakes = {
  status: ArenaSessionStatus
  entryFee: number
  winnerPrize: number | null
  developerShare: number | null
  gamePartnerId: string
  players: { partnerId: string; isWinner: boolean }[]
}

/** The partners of a session: its creator, and those whose users and agents play. */
export const partnersOf = ({
  partnerId,
  players,
}: {
  partnerId: string
  players: { partnerId: string }[]
}) => new Set([partnerId, ...players.map((player) => player.partnerId)])

/**
 * The points that a session can move, by partner. While it is open, this is the most that any result can
 * move: `in` is what others paid, `out` what the partner's own users paid. Once it is settled, it is what
 * the result moved, which is never more. Nothing flows while all players belong to one partner.
 */
export const flowsOf = (session: Stakes): Flows => {
  const { status, entryFee, players, gamePartnerId } = session
  const seats = Map.groupBy(players, ({ partnerId }) => partnerId)
  if (entryFee === 0 || seats.size < 2 || status === 'EXPIRED') return new Map()
  return new Map(
    [...seats].map(([partnerId, own]) => {
      const paid = entryFee * own.length
      if (status !== 'COMPLETED')
        return [partnerId, { in: entryFee * players.length - paid, out: paid }]
      const won = own.some(({ isWinner }) => isWinner) ? (session.winnerPrize ?? 0) : 0
      const earned = partnerId === gamePartnerId ? (session.developerShare ?? 0) : 0
      return [partnerId, { in: Math.max(0, won - paid), out: Math.max(0, paid - won - earned) }]
    }),
  )
}

/** The difference between two states of a session, by partner. */
export const flowChanges = (before: Flows, after: Flows): (Flow & { partnerId: string })[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((partnerId) => {
    const [was, is] = [before.get(partnerId), after.get(partnerId)]
    const change = {
      partnerId,
      in: (is?.in ?? 0) - (was?.in ?? 0),
      out: (is?.out ?? 0) - (was?.out ?? 0),
    }
    return change.in === 0 && change.out === 0 ? [] : [change]
  })

/** The terms of a game that decide where points go. */
export type Terms = {
  entryFee: number
  developerRevenueShare: number
  resultPolicy: ArenaResultPolicy
}

/** The policies under which no player alone decides the result. */
export const shareablePolicies: ArenaResultPolicy[] = ['QUORUM', 'SERVER']

/** Whether a prize pool on these terms may hold points of several partners. */
export const isShareable = ({ entryFee, resultPolicy }: Terms): boolean =>
  entryFee > 0 && shareablePolicies.includes(resultPolicy)

export const isSameTerms = (a: Terms, b: Terms): boolean =>
  a.entryFee === b.entryFee &&
  a.developerRevenueShare === b.developerRevenueShare &&
  a.resultPolicy === b.resultPolicy

/** The UTC day that a session counts towards, as `YYYY-MM-DD`: the day it was created. */
export const dayOf = ({ createdAt }: { createdAt: Date }): string =>
  createdAt.toISOString().slice(0, 10)
