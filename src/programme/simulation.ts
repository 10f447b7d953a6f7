/** What a goal would do, without doing it. */
import type { Goal } from '../generated/prisma/client.ts'
import type { Runtime } from '../kit/runtime.ts'
import { findUsersSeenLast, previewOfUsers } from './simulation.sql.ts'

export type Preview = { checked: number; users: number; completions: number; isComplete: boolean }

/** Limits: users in all, users per statement, and the time after which no other statement begins. */
const maxUsers = 10_000
const usersAtOnce = 250
const maxMs = 5_000

/** How many users would have completed a goal if it had counted since a moment. Users who were seen last come first. */
export const previewGoal = async (
  { db }: Pick<Runtime, 'db'>,
  goal: Goal,
  since: Date,
): Promise<Preview> => {
  const until = performance.now() + maxMs
  // One more shows whether there are more.
  const found = (await findUsersSeenLast(db, goal, maxUsers + 1)).map(({ userId }) => userId)
  const all = found.slice(0, maxUsers)
  const preview = { checked: 0, users: 0, completions: 0 }
  while (preview.checked < all.length && performance.now() < until) {
    const part = all.slice(preview.checked, preview.checked + usersAtOnce)
    const [counts] = await previewOfUsers(db, goal.id, part, since)
    preview.checked += part.length
    preview.users += counts?.users ?? 0
    preview.completions += counts?.completions ?? 0
  }
  return { ...preview, isComplete: preview.checked === found.length }
}
