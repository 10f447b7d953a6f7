import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { email, jsonObject, reference, text } from '../core/validation.ts'
import type { EndUser, LedgerEntry, Prisma } from '../generated/prisma/client.ts'
import { UserBy } from '../users/end-user.ts'
import { insertAwards } from './points.sql.ts'

/** What a partner's backend sends to award points (interface: Points). */
export const AwardPoints = z
  .object({
    user: UserBy.describe('The user to award. An unknown `externalId` creates a user.'),
    eventType: reference().describe('The event type, whose reward rule sets the points.'),
    displayName: text(255).nullish().describe('Stored on the user.'),
    email: email().nullish().describe('Stored on the user.'),
    metadata: jsonObject().nullish().describe('Stored with the ledger entry; up to 16 KB.'),
    reference: reference()
      .nullish()
      .describe('Idempotency reference. Awards once per event type, however often it is sent.'),
  })
  .describe('Points for something a user did.')

export type Award = Tenant &
  Omit<z.output<typeof AwardPoints>, 'user'> & {
    externalId: string
    /** Whether all of the user is shown; otherwise only the keys are filled in. To show them costs time. */
    showsUser?: boolean
  }

/** What an award wrote: the entry, and the user as all awards of the batch leave them. */
export type PointsAward = { ledgerEntry: LedgerEntry & { user: EndUser }; user: EndUser }

/**
 * Awards points: as many as the reward rule of the event type says. Makes users who do not exist.
 * One statement for the whole list, in the order of the list.
 *
 * In the place of a refused award stands REWARD_RULE_NOT_FOUND or DUPLICATE_REFERENCE; it uses up no
 * reference and makes no user. Two transactions that award the same reference at the same moment meet
 * at the unique index; the later one fails as a whole and must be run again (`retrying`).
 */
export const awardPoints = async (
  { tx, clock }: Work,
  awards: Award[],
): Promise<(PointsAward | Error)[]> => {
  const createdAt = clock()
  const ids = awards.map(() => uuid())
  const rows = await insertAwards(
    tx,
    awards.map((award, n) => ({
      ...award,
      id: ids[n] as string,
      showsUser: award.showsUser ?? true,
    })),
    createdAt,
  )
  const results: (PointsAward | Error)[] = []
  for (const row of rows) {
    const { n, points, duplicateOf } = row
    if (points === null) results[n] = new TesseraError('REWARD_RULE_NOT_FOUND')
    else if (duplicateOf)
      results[n] = new TesseraError('DUPLICATE_REFERENCE', { ledgerEntryId: duplicateOf })
    else results[n] = awarded(awards[n] as Award, ids[n] as string, row as Awarded, createdAt)
  }
  return results
}

/** The row of an award that was not refused. */
type Awarded = EndUser & { points: number; entryNo: number; balanceAfter: bigint; userId: string }

const awarded = (award: Award, id: string, row: Awarded, createdAt: Date): PointsAward => {
  const { partnerId, environment, externalId } = award
  const user =
    award.showsUser === false
      ? ({ id: row.userId, partnerId, environment, externalId } as EndUser)
      : row
  return {
    user,
    ledgerEntry: {
      id,
      partnerId,
      environment,
      userId: row.userId,
      entryNo: row.entryNo,
      eventType: award.eventType,
      points: row.points,
      balanceAfter: row.balanceAfter,
      account: 'issuance',
      reference: award.reference ?? null,
      sourceId: null,
      metadata: (award.metadata ?? null) as Prisma.JsonValue,
      createdAt,
      user,
    },
  }
}
