import { z } from 'zod'
import type { EndUser, LedgerEntry, Prisma } from '../generated/prisma/client.ts'
import type { Caller } from '../kit/access/context.ts'
import { inTransaction } from '../kit/database/db.ts'
import { isResultKind } from '../kit/error-kinds.ts'
import { errorTable, TesseraError } from '../kit/errors.ts'
import { newId } from '../kit/random.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { check, email, jsonObject, reference, text } from '../kit/validation.ts'
import { userBlocked } from '../users/block.rules.ts'
import { externalIdOf, UserBy, type UserKey } from '../users/end-user.ts'
import { setTimeZones } from '../users/time-zone.ts'
import { checkTimeZone, timeZoneName } from '../users/time-zone-names.ts'
import { insertAwards, insertZonedAwards } from './points.sql.ts'

/** An award of points (interface: Points). */
export const AwardPoints = z
  .object({
    user: UserBy.describe('The user to award. An unknown `externalId` creates a user.'),
    eventType: reference().describe('The event type, whose reward rule sets the points.'),
    displayName: text(255).nullish().describe('Stored on the user.'),
    email: email().nullish().describe('Stored on the user.'),
    timeZone: timeZoneName()
      .nullish()
      .describe(
        "The user's time zone, an IANA name. A new user has it at once, others from their next midnight on.",
      ),
    metadata: jsonObject().nullish().describe('Stored with the ledger entry; up to 16 KB.'),
    reference: reference()
      .nullish()
      .describe('Idempotency reference. Awards once per event type, however often it is sent.'),
  })
  .describe('Points for something a user did.')

const maxAwards = 500

/** An award of a list. */
const ListedAward = z
  .object({
    ...AwardPoints.shape,
    reference: reference().describe(
      'Idempotency reference. Awards once per event type. Required here, so that a list can be sent again.',
    ),
  })
  .meta({ graphql: 'AwardInput' })
  .describe('An award of a list.')

type ListedAward = z.output<typeof ListedAward>

/** The items are not validated here, because an invalid one must not fail the others. */
export const AwardPointsBatch = z
  .object({
    awards: z
      .custom<unknown[]>((value) => Array.isArray(value), {
        error: (issue) => (issue.input == null ? 'is required' : 'must be a list'),
      })
      .refine((awards) => awards.length > 0, 'must have at least one award')
      .refine((awards) => awards.length <= maxAwards, `must have at most ${maxAwards} awards`)
      .meta({ item: ListedAward })
      .describe('1 to 500 awards. One that is refused does not affect the others.'),
  })
  .describe('Awards of points, each to one user.')

export type Award = UserKey &
  Omit<z.output<typeof AwardPoints>, 'user'> & {
    /** Whether all fields of the user are returned, which costs time. Otherwise only the keys. */
    showsUser?: boolean
  }

/** The result of an award: the entry, and the user after all awards of the batch. */
export type PointsAward = {
  ledgerEntry: LedgerEntry & { user: EndUser }
  user: EndUser
}

/**
 * Awards the points of the reward rule of each event type. Creates users who do not exist. One statement writes the
 * whole list, in the order of the list.
 *
 * The result of a refused award is REWARD_RULE_NOT_FOUND, DUPLICATE_REFERENCE, or USER_BLOCKED for a user who is blocked for
 * fraud. It does not use up the reference and creates no user. If two transactions award the same reference at the same time, the later one violates the unique
 * index, fails as a whole and must be retried (`retrying`).
 */
export const awardPoints = async (
  work: Work,
  awards: Award[],
): Promise<(PointsAward | Error)[]> => {
  const createdAt = work.clock()
  const ids = awards.map(() => newId())
  const requested = awards.map((award, n) => ({
    ...award,
    id: ids[n] as string,
    showsUser: award.showsUser ?? true,
  }))
  const rows = requested.some(({ timeZone }) => timeZone)
    ? await writeInZones(work, requested, createdAt)
    : await insertAwards(work.tx, requested, createdAt)
  const results: (PointsAward | Error)[] = []
  for (const row of rows) {
    const { n, points, duplicateOf, isBlocked } = row
    if (points === null) results[n] = new TesseraError('REWARD_RULE_NOT_FOUND')
    else if (duplicateOf)
      results[n] = new TesseraError('DUPLICATE_REFERENCE', { ledgerEntryId: duplicateOf })
    else if (isBlocked) results[n] = userBlocked()
    else results[n] = awarded(awards[n] as Award, ids[n] as string, row as Awarded, createdAt)
  }
  return results
}

/** Writes awards some of which have a time zone, and changes the zones of users who existed. */
const writeInZones = (
  work: Work,
  awards: (Award & { id: string; showsUser: boolean })[],
  createdAt: Date,
) =>
  inTransaction(work, async ({ tx }) => {
    const rows = await insertZonedAwards(tx, awards, createdAt)
    const accepted = rows.flatMap(({ n, entryNo }) => {
      const award = awards[n]
      return entryNo !== null && award?.timeZone
        ? [{ ...award, timeZone: award.timeZone, isTrusted: true }]
        : []
    })
    await setTimeZones({ tx }, accepted, createdAt)
    return rows
  })

/** An error of one award. Any other one concerns the whole call, and is thrown. */
const refusalOf = (error: unknown): TesseraError => {
  if (error instanceof TesseraError && isResultKind(errorTable[error.code].kind)) return error
  throw error
}

/** The award of a list with the key of its user. */
const listedAward = async (
  runtime: Pick<Runtime, 'read' | 'db' | 'singletons'>,
  caller: Caller,
  item: unknown,
): Promise<Award> => {
  const { user, ...award }: ListedAward = check(ListedAward, item)
  await checkTimeZone(runtime, award)
  return { ...tenantOf(caller), ...award, externalId: await externalIdOf(runtime, caller, user) }
}

/**
 * Awards each item independently, in the order of the list. They are written together. The result of an item is the
 * award, or its error: VALIDATION_FAILED, USER_NOT_FOUND, or one of `awardPoints`.
 * @param showsUser whether all fields of the users are returned
 * @throws TesseraError OVERLOADED; the failure of the database. Some items may have been written: sent again, they are
 * duplicates.
 */
export const awardSeparately = async (
  runtime: Pick<Runtime, 'read' | 'write' | 'db' | 'singletons'>,
  caller: Caller,
  { awards }: z.output<typeof AwardPointsBatch>,
  showsUser: boolean,
): Promise<(PointsAward | TesseraError)[]> => {
  const listed = await Promise.all(
    awards.map((item) => listedAward(runtime, caller, item).catch(refusalOf)),
  )
  // All are queued at once, so that they are written in the order of the list.
  return Promise.all(
    listed.map((award) =>
      award instanceof TesseraError
        ? award
        : runtime.write(awardPoints, { ...award, showsUser }).catch(refusalOf),
    ),
  )
}

/** The row of an accepted award. */
type Awarded = EndUser & {
  points: number
  entryNo: number
  balanceAfter: bigint
  userId: UserId
}

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
