/** What a stream tells of a user after each change. */

import type { GoalChange, GrantChange } from './goal-data.ts'
import type { Offer } from './offers.ts'
import type { Wallet } from './plays.ts'
import type { RewardChange } from './reward-data.ts'
import type { StreakChange } from './streak-data.ts'
import type { followed } from './user-documents.ts'

/** A list of the user that a widget follows. */
export type Part = keyof typeof followed

export type Followed<T> = { nodes: T[]; pageInfo: { hasNextPage: boolean } }

/** The balance, free plays, and the lists that are followed. */
export type UserState = Wallet & {
  goals?: Followed<GoalChange>
  /** Those that the user can claim, or gets later. */
  grants?: Followed<GrantChange>
  /** Grants of badges. */
  badges?: Followed<GrantChange>
  /** Grants of items, codes and free plays. */
  rewards?: Followed<RewardChange>
  streaks?: { nodes: StreakChange[] }
  offers?: { nodes: Offer[] }
}
