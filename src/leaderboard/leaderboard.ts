import type { EndUser } from '../generated/prisma/client.ts'
import { readCounter } from '../kit/database/counters.ts'
import type { Work } from '../kit/runtime.ts'
import type { Part } from '../kit/schema/connection.ts'
import type { Place } from '../kit/schema/cursor.ts'
import type { Tenant } from '../kit/tenant.ts'
import { isBlockedForFraud } from '../users/block.rules.ts'
import {
  countHiddenUsers,
  listUsersAhead,
  listUsersBehind,
  selectRanks,
} from './leaderboard.sql.ts'
import { listParts } from './marks.ts'

export type RankedUser = { rank: number; user: EndUser }

/**
 * Ranks of users, in one statement; null for those who are on no leaderboard, because they are blocked for fraud. They are exact up to the first mark. Below it, changes above the nearest mark show
 * when the marks are next counted.
 */
export const findRanks = async (
  { tx, clock }: Work,
  users: EndUser[],
): Promise<(number | null)[]> => {
  const now = clock()
  const ranks: (number | null)[] = []
  const places = users.map(({ scoreReachedAt, ...user }) => ({
    ...user,
    reachedAt: scoreReachedAt,
  }))
  for (const { n, rank } of await selectRanks(tx, places, now))
    ranks[n] = isBlockedForFraud(users[n] as EndUser, now) ? null : Number(rank)
  return ranks
}

/** Parts of leaderboards, of several environments in one statement. */
export const listUsers = (work: Work, parts: (Part & Tenant)[]): Promise<EndUser[][]> =>
  listParts(work, { behind: listUsersBehind, ahead: listUsersAhead }, parts)

export const userPlace = ({ score, scoreReachedAt, externalId }: EndUser): Place => [
  score,
  scoreReachedAt,
  externalId,
]

/** The users around a user, `distance` on each side, with their ranks. Null if the user is on no leaderboard. */
export const listAroundUser = async (
  work: Work,
  tenant: Tenant,
  user: EndUser,
  distance: number,
): Promise<RankedUser[] | null> => {
  const part = { ...tenant, take: distance, skip: 0, from: userPlace(user) }
  const [[ahead = [], behind = []], [rank = null]] = await Promise.all([
    listUsers(work, [
      { ...part, backward: true },
      { ...part, backward: false },
    ]),
    findRanks(work, [user]),
  ])
  if (rank === null) return null
  const first = ahead.length < distance ? 1 : rank - ahead.length
  return [...ahead.reverse(), user, ...behind].map((user, i) => ({ rank: first + i, user }))
}

/** The number of users on the leaderboard. */
export const countRankedUsers = async ({ tx, clock }: Work, tenant: Tenant): Promise<number> => {
  const [users, [{ hidden = 0 } = {}]] = await Promise.all([
    readCounter(tx, tenant, 'users'),
    countHiddenUsers(tx, [tenant], clock()),
  ])
  return users - hidden
}
