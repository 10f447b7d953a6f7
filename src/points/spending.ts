/** Points that users spend at their partner, outside of Tessera. */
import { z } from 'zod'
import type { Actor } from '../accounts/actor.ts'
import type { Work } from '../kit/runtime.ts'
import { integer, maxPoints, reference, title } from '../kit/validation.ts'
import { UserBy, type UserKey } from '../users/end-user.ts'
import { insertSpending } from './correction.sql.ts'
import { type Corrected, moveByReference } from './correction.ts'

/** A spending of points (POST /v1/points/spend). */
export const SpendPoints = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    points: integer(1, maxPoints).describe('Points to take.'),
    reason: title(500).describe(
      'What they are spent on. Kept with the ledger entry until the user is erased.',
    ),
    reference: reference()
      .nullish()
      .describe('Idempotency reference. Spends once, however often it is sent.'),
  })
  .describe('Points that a user spends.')

type Spending = UserKey & Actor & Omit<z.output<typeof SpendPoints>, 'user'>

/** Takes points that users spend, by `moveByReference`. What was earned stays earned. */
export const spendPoints = (work: Work, spending: Spending[]): Promise<(Corrected | Error)[]> =>
  moveByReference(
    work,
    spending.map(({ points, ...item }) => ({ ...item, points: -points })),
    {
      eventType: 'points_spent',
      account: 'spending',
      duplicate: 'Duplicate reference; points already spent for this reference',
      write: insertSpending,
      refusesBlocked: true,
    },
  )
