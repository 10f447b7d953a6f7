import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import {
  settingsToRestore,
  versionToRestore,
} from '../accounts/settings-versions/settings-version.ts'
import type { Lottery } from '../generated/prisma/client.ts'
import { LotteryFrequency } from '../generated/prisma/enums.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { color, flag, httpsUrl, integer, oneOf, text } from '../kit/validation.ts'
import { lockLotteryRow } from './draw.sql.ts'
import { inStoredForm, LotteryRules, nextClosing } from './lottery.rules.ts'
import { LotteryBy, type Manager, managedBy } from './lottery-key.ts'

/** A date that the tables and the calendar of draws can hold. */
const moment = () =>
  z
    .date({ error: 'must be a moment' })
    .refine(
      (date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 3000,
      'must be between the years 2000 and 2999',
    )

const slug = () =>
  text(60).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be of a–z, 0–9 and single hyphens')

const look = {
  primaryColor: color().nullish().describe('Main color of its pages and widgets: `#RRGGBB`.'),
  logoUrl: httpsUrl().nullish().describe('URL of its logo.'),
}

export const CreateLottery = z
  .object({
    slug: slug().describe('Used in URLs; unique.'),
    name: text(120).describe('Name shown to users, such as on its pages.'),
    description: text(2000).nullish().describe('Short description for users.'),
    isForEveryPartner: flag()
      .nullish()
      .describe('Whether every partner can enter. Requires an operator.'),
    isDraft: flag().nullish().describe('If true, no draw opens before `startLottery`.'),
    frequency: oneOf('LotteryFrequency', LotteryFrequency).describe('How often it draws.'),
    rules: LotteryRules,
    startsAt: moment().nullish().describe('When the first draw opens. Defaults to now.'),
    firstClosesAt: moment()
      .nullish()
      .describe('When the first draw closes. Defaults to one period after `startsAt`.'),
    endsAt: moment().nullish().describe('No draw closes later. Then the lottery becomes EXPIRED.'),
    drawDelaySeconds: integer(0, 86_400)
      .nullish()
      .describe('Seconds from closing, when the root is published, to drawing. Defaults to 60.'),
    ...look,
  })
  .describe('A lottery to create.')

export type CreateLottery = z.output<typeof CreateLottery>

const periodOf: Record<LotteryFrequency, LotteryFrequency> = {
  DAILY: 'DAILY',
  WEEKLY: 'WEEKLY',
  MONTHLY: 'MONTHLY',
  CUSTOM: 'WEEKLY',
}

/**
 * Creates a lottery without draws; `keepDraws` adds them.
 * @throws TesseraError ADMIN_REQUIRED, LOTTERY_SLUG_TAKEN, VALIDATION_FAILED for times in the wrong order
 */
export const createLottery = async (
  { tx, clock }: Work,
  { partnerId, environment, isOperator, ...input }: Manager & CreateLottery,
): Promise<Lottery> => {
  if (input.isForEveryPartner && !isOperator) throw new TesseraError('ADMIN_REQUIRED')
  const now = clock()
  const startsAt = input.startsAt ?? now
  const firstClosesAt =
    input.firstClosesAt ?? (nextClosing(periodOf[input.frequency], startsAt, startsAt) as Date)
  if (firstClosesAt <= startsAt) throw refused('firstClosesAt', 'must be after the start')
  if (input.endsAt && input.endsAt < firstClosesAt)
    throw refused('endsAt', 'must not be before the first draw closes')
  const taken = await tx.lottery.findFirst({
    where: { environment, slug: input.slug, OR: [{ partnerId }, { partnerId: null }] },
    select: { id: true },
  })
  if (taken) throw new TesseraError('LOTTERY_SLUG_TAKEN', { field: 'slug', value: input.slug })
  return tx.lottery
    .create({
      data: {
        id: uuid(),
        partnerId: input.isForEveryPartner ? null : partnerId,
        environment,
        slug: input.slug,
        name: input.name,
        description: input.description ?? '',
        status: input.isDraft ? 'DRAFT' : 'ACTIVE',
        frequency: input.frequency,
        rules: input.rules,
        startsAt,
        firstClosesAt,
        endsAt: input.endsAt ?? null,
        drawDelaySeconds: input.drawDelaySeconds ?? 60,
        primaryColor: input.primaryColor ?? null,
        logoUrl: input.logoUrl ?? null,
        createdAt: now,
        updatedAt: now,
      },
    })
    .catch(refuseDuplicateKey('LOTTERY_SLUG_TAKEN', 'slug', input.slug))
}

export const UpdateLottery = z
  .object({
    lottery: LotteryBy.describe('The lottery, by id or slug.'),
    name: text(120).nullish().describe('Name shown to users, such as on its pages.'),
    description: text(2000).nullish().describe('Short description; null for none.'),
    rules: LotteryRules.nullish().describe('Applies to draws that open from now on.'),
    endsAt: moment().nullish().describe('No draw closes later; null for no end.'),
    drawDelaySeconds: integer(0, 86_400)
      .nullish()
      .describe('Applies to draws that are created from now on.'),
    ...look,
  })
  .describe('Changes to a lottery. Omitted fields are unchanged.')

type UpdateLottery = Omit<z.output<typeof UpdateLottery>, 'lottery'> & { lotteryId: string }

/** The statuses that a manager can set; EXPIRED is set automatically. */
type SettableStatus = 'ACTIVE' | 'PAUSED' | 'COMPLETED'

/**
 * A lottery of this manager, locked until the transaction ends.
 * @throws TesseraError LOTTERY_NOT_FOUND
 */
export const lockLottery = async (
  { tx }: Pick<Transaction, 'tx'>,
  manager: Manager,
  id: string,
): Promise<Lottery> => {
  await lockLotteryRow(tx, id)
  const lottery = await tx.lottery.findFirst({ where: { id, ...managedBy(manager) } })
  if (!lottery) throw new TesseraError('LOTTERY_NOT_FOUND')
  return lottery
}

/**
 * Changes a lottery. Draws that have opened keep their published rules.
 * @throws TesseraError LOTTERY_NOT_FOUND
 */
export const updateLottery = (
  work: Work,
  { lotteryId, ...input }: Manager & UpdateLottery,
): Promise<Lottery> =>
  inTransaction(work, async ({ tx }) => {
    const lottery = await lockLottery({ tx }, input, lotteryId)
    /** Fields that null unsets. */
    const given = (field: 'endsAt' | 'primaryColor' | 'logoUrl') =>
      input[field] === undefined ? {} : { [field]: input[field] }
    return tx.lottery.update({
      where: { id: lottery.id },
      data: {
        name: input.name ?? lottery.name,
        ...(input.description !== undefined && { description: input.description ?? '' }),
        ...(input.rules && { rules: input.rules }),
        ...given('endsAt'),
        drawDelaySeconds: input.drawDelaySeconds ?? lottery.drawDelaySeconds,
        ...given('primaryColor'),
        ...given('logoUrl'),
        updatedAt: work.clock(),
      },
    })
  })

export const RestoreLottery = z
  .object({
    lottery: LotteryBy.describe('The lottery, by id or slug.'),
    version: versionToRestore(),
  })
  .describe('A version of a lottery to restore.')

const Settings = z.object({
  name: z.string(),
  description: z.string(),
  rules: z.custom<LotteryRules>(),
  ends_at: z.string().nullable(),
  draw_delay_seconds: z.number(),
  primary_color: z.string().nullable(),
  logo_url: z.string().nullable(),
})

/**
 * Sets a lottery as it was in an earlier version. Draws that have opened keep their published rules.
 * @throws TesseraError LOTTERY_NOT_FOUND; VALIDATION_FAILED when there is no such version
 */
export const restoreLottery = (
  work: Work,
  { lotteryId, version, ...manager }: Manager & { lotteryId: string; version: number },
): Promise<Lottery> =>
  inTransaction(work, async (txWork) => {
    // Before its versions are read: the caller may not manage it.
    await lockLottery(txWork, manager, lotteryId)
    const kept = await settingsToRestore(txWork, { objectId: lotteryId, version }, Settings)
    const settings: Required<UpdateLottery> = {
      lotteryId,
      name: kept.name,
      description: kept.description,
      rules: inStoredForm(kept.rules),
      endsAt: kept.ends_at === null ? null : new Date(kept.ends_at),
      drawDelaySeconds: kept.draw_delay_seconds,
      primaryColor: kept.primary_color,
      logoUrl: kept.logo_url,
    }
    return updateLottery({ ...work, ...txWork }, { ...manager, ...settings })
  })

/**
 * Deletes a lottery of which no draw has ever opened, and its scheduled draws. Returns the lottery.
 * @throws TesseraError LOTTERY_NOT_FOUND, LOTTERY_IN_USE
 */
export const deleteLottery = (
  work: Work,
  { lotteryId, ...manager }: Manager & { lotteryId: string },
): Promise<Lottery> =>
  inTransaction(work, async ({ tx }) => {
    const lottery = await lockLottery({ tx }, manager, lotteryId)
    const { id } = lottery
    // Only an open draw takes tickets, so there are none either.
    const opened = { lotteryId: id, openedAt: { not: null } }
    if (await tx.lotteryDraw.findFirst({ where: opened, select: { id: true } }))
      throw new TesseraError('LOTTERY_IN_USE')
    await tx.lotteryDraw.deleteMany({ where: { lotteryId: id } })
    await tx.lottery.deleteMany({ where: { id } })
    return lottery
  })

/**
 * Starts, pauses or ends a lottery. Draws that have opened are still drawn.
 * @throws TesseraError LOTTERY_NOT_FOUND; LOTTERY_OVER when it is COMPLETED or EXPIRED
 */
export const setLotteryStatus = (
  work: Work,
  { lotteryId, status, ...manager }: Manager & { lotteryId: string; status: SettableStatus },
): Promise<Lottery> =>
  inTransaction(work, async ({ tx }) => {
    const lottery = await lockLottery({ tx }, manager, lotteryId)
    if (lottery.status === status) return lottery
    if (lottery.status === 'COMPLETED' || lottery.status === 'EXPIRED')
      throw new TesseraError('LOTTERY_OVER', { status: lottery.status, since: null })
    return tx.lottery.update({
      where: { id: lottery.id },
      data: { status, updatedAt: work.clock() },
    })
  })
