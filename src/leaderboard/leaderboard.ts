import type { EndUser } from '../generated/prisma/client.ts'
import { readCounter } from '../kit/database/counters.ts'
import type { Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import type { Place } from '../kit/schema/cursor.ts'
import type { Tenant } from '../kit/tenant.ts'
import { listUsersAhead, listUsersBehind, selectRanks } from './leaderboard.sql.ts'
import { listParts } from './marks.ts'

export type RankedUser = { rank: number; user: EndUser }

/**
 * Ranks of users, in one statement. They are exact up to the first mark. Below it, changes above the nearest mark show
 * when the marks are next counted.
 */
export const findRanks = async ({ tx }: Work, users: EndUser[]): Promise<number[]> => {
  const ranks: number[] = []
  const places = users.map(({ scoreReachedAt, ...user }) => ({
    ...user,
    reachedAt: scoreReachedAt,
  }))
  for (const { n, rank } of await selectRanks(tx, places)) ranks[n] = Number(rank)
  return ranks
}

/** Parts of leaderboards, of several environments in one statement. */
export const listUsers = ({ tx }: Work, parts: (Part & Tenant)[]): Promise<EndUser[][]> =>
  listParts(tx, { behind: listUsersBehind, ahead: listUsersAhead }, parts)

export const userPlace = ({ score, scoreReachedAt, externalId }: EndUser): Place => [
  score,
  scoreReachedAt,
  externalId,
]

/** The users around a user, `distance` on each side, with their ranks. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[]> => {
  const part = { ...tenant, take: distance, skip: 0, from: userPlace(user) }
  const [[ahead = [], behind = []], [rank = 1]] = await Promise.all([
    listUsers(work, [
      { ...part, backward: true },
      { ...part, backward: false },
    ]),
    findRanks(work, [user]),
  ])
  const first = ahead.length < distance ? 1 : rank - ahead.length
  return [...ahead.reverse(), user, ...behind].map((user, i) => ({ rank: first + i, user }))
}

export const countRankedUsers = ({ tx }: Work, tenant: Tenant): Promise<number> =>
  readCounter(tx, tenant, 'users')
