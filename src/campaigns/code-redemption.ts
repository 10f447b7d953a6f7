/** Codes of batches, and their redemptions. A code is redeemed once. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import {
  type Campaign,
  type CampaignCode,
  type CodeBatch,
  type EndUser,
  Prisma,
} from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import { findParts, type PartOf } from '../kit/schema/parts.ts'
import type { EventData } from '../kit/streams/events.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { reference } from '../kit/validation.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { lockOrMakeUsers, UserBy, type UserKey } from '../users/end-user.ts'
import type { codeRedeemed } from './campaign.events.ts'
import { CampaignBy, holdCampaigns, notRunning } from './campaign.ts'
import { isRunning } from './campaign-phase.rules.ts'
import { codeHash } from './code.rules.ts'
import { type LockedCode, lockCodes, writeRedemptions, writeRevocation } from './code.sql.ts'
import { batchStatusOf } from './code-batch.ts'
import { creditParticipants, type Participant } from './participant.ts'

export const RedeemCode = z
  .object({
    campaign: CampaignBy,
    code: reference().describe('The code. Case, blanks and hyphens do not matter.'),
    user: UserBy.describe('The user who redeems it. An unknown `externalId` creates a user.'),
  })
  .describe('A code to redeem.')

/** The result of a redemption, with the participant right after it. */
export type RedeemedCode = {
  /** After all redemptions of the list. */
  codeBatch: CodeBatch
  participant: Participant
  user: EndUser
}

/** `isProven`: whether a secret key, a member or the user's own token redeems it. Otherwise it is no fact. */
type AskedCode = UserKey & { slug: string; code: string; isProven?: boolean }

/** Why a code cannot be redeemed, or null. */
const refusalOf = (code: LockedCode | undefined, now: Date): TesseraError | null => {
  if (!code) return new TesseraError('INVALID_CODE', { since: null })
  const { redeemedAt, codeRevokedAt, revokedAt, expiresAt } = code
  if (redeemedAt) return new TesseraError('CODE_REDEEMED', { doneAt: redeemedAt })
  if (codeRevokedAt) return new TesseraError('CODE_REVOKED', { since: codeRevokedAt })
  const status = batchStatusOf(code, now)
  if (status === 'REVOKED') return new TesseraError('CODE_REVOKED', { since: revokedAt })
  return status === 'EXPIRED' ? new TesseraError('CODE_EXPIRED', { since: expiresAt }) : null
}

/**
 * Redeems codes in the order of the list, in one transaction. A code is redeemed once, even if many callers send it at
 * the same time. Creates users who do not exist.
 *
 * The result of a refused code is CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_ACTIVE, INVALID_CODE (unknown, or of another
 * campaign), CODE_REDEEMED, CODE_EXPIRED, CODE_REVOKED or USER_BLOCKED; it creates no user.
 */
export const redeemCodes = (
  work: Work,
  requested: AskedCode[],
): Promise<(RedeemedCode | Error)[]> => inTransaction(work, (txWork) => redeemIn(txWork, requested))

type Redemption = { n: number; id: string; ask: AskedCode; campaign: Campaign; code: LockedCode }

const redeemIn = async (
  work: Transaction,
  requested: AskedCode[],
): Promise<(RedeemedCode | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, requested)
  const codes = await findCodes(work, requested, campaigns)
  const taken = new Map<string, Redemption>()
  const results: (RedeemedCode | Error)[] = requested.map((ask, n) => {
    const [campaign, code] = [campaigns[n], codes.get(n)]
    if (!campaign || !isRunning(campaign, now)) return notRunning(campaign ?? null, now)
    const refusal = refusalOf(code, now)
    if (refusal || !code) return refusal as TesseraError
    if (taken.has(code.hash)) return new TesseraError('CODE_REDEEMED', { doneAt: now })
    taken.set(code.hash, { n, id: uuid(), ask, campaign, code })
    return new TesseraError('INTERNAL')
  })
  if (taken.size === 0) return results
  const asking = [...taken.values()]
  const locked = await lockOrMakeUsers(
    work,
    asking.map(({ ask }) => ask),
  )
  const redemptions = asking.filter((_, i) => !isBlocked(locked[i] as EndUser, now))
  const users = locked.filter((user) => !isBlocked(user, now))
  for (const { n } of asking) results[n] = userBlocked()
  if (redemptions.length === 0) return results
  await redeem(work, redemptions, users)
  const participants = await creditParticipants(
    work,
    redemptions.map(({ id, campaign, code, ask }, i) => ({
      id,
      campaign,
      user: users[i] as EndUser,
      points: code.pointsValue,
      eventType: 'code_redeemed',
      fact: ask.isProven ? 'CODE_REDEEMED' : null,
      ledgerType: 'campaign_code',
      metadata: { batchId: code.id, ...(code.label !== null && { label: code.label }) },
    })),
  )
  const redeemedOf = Map.groupBy(redemptions, ({ code }) => code.id)
  redemptions.forEach(({ n, code }, i) => {
    const { n: _, hash: __, redeemedAt: ___, codeRevokedAt: ____, ...batch } = code
    const participant = participants[i] as Participant
    const redeemed = batch.redeemed + (redeemedOf.get(batch.id)?.length ?? 0)
    results[n] = {
      codeBatch: { ...batch, redeemed },
      participant,
      user: participant.user,
    }
  })
  return results
}

/** Reads and locks codes, keyed by their index in the list. */
const findCodes = async (
  { tx, keys }: Transaction,
  requested: AskedCode[],
  campaigns: (Campaign | null)[],
): Promise<Map<number, LockedCode>> => {
  const wanted = requested.flatMap(({ code }, place) => {
    const campaign = campaigns[place]
    if (!campaign) return []
    const hash = codeHash(keys.pepper, campaign, code).toString('hex')
    return { place, campaignId: campaign.id, ...tenantOf(campaign), hash }
  })
  const codes = await lockCodes(tx, wanted)
  return new Map(codes.map((code) => [wanted[code.n]?.place ?? -1, code]))
}

const redeem = async ({ tx, clock }: Transaction, redemptions: Redemption[], users: EndUser[]) => {
  const now = clock()
  const rows = redemptions.map(({ id, campaign, code, ask }, i) => ({
    id,
    ...tenantOf(campaign),
    hash: code.hash,
    batchId: code.id,
    userId: (users[i] as EndUser).id,
    data: {
      redemptionId: id,
      campaignId: campaign.id,
      campaignSlug: campaign.slug,
      batchId: code.id,
      ...(code.label !== null && { label: code.label }),
      userId: ask.externalId,
      pointsEarned: code.pointsValue,
      environment: campaign.environment,
      redeemedAt: now.toISOString(),
    } satisfies EventData<typeof codeRedeemed>,
  }))
  const [counted] = await writeRedemptions(tx, rows, now)
  if (counted?.redeemed !== rows.length) throw new Error('a code was redeemed under its lock')
}

export const CampaignCodeKey = z
  .object({ code: reference().describe('The code. Case, blanks and hyphens do not matter.') })
  .describe('A code to look at.')

const CampaignCodeBy = oneKey({
  id: nodeId('CampaignCode').describe('The global id or the UUID.'),
  code: reference().describe('The code. Case, blanks and hyphens do not matter.'),
})
  .meta({ graphql: 'CampaignCodeBy' })
  .describe('Exactly one key of a code of a batch.')

type CampaignCodeBy = z.output<typeof CampaignCodeBy>

export const RevokeCode = z.object({ campaignCode: CampaignCodeBy }).describe('A code to revoke.')

/** A code without what finds it by its text. */
export type CodeOfBatch = Omit<CampaignCode, 'hash'> & { batch: CodeBatch }

type FoundCode = CampaignCode & { batch: CodeBatch & { campaign: Campaign } }

/** A code by its id or its text, or null. */
export const findCode = (
  { tx, keys }: Pick<Work, 'tx' | 'keys'>,
  { id, code = '', ...tenant }: Tenant & CampaignCodeBy,
): Promise<FoundCode | null> =>
  ofTenant(tx, tenant).campaignCode.findFirst({
    where: id ? { id } : { hash: new Uint8Array(codeHash(keys.pepper, tenant, code)) },
    include: { batch: { include: { campaign: true } } },
  })

/**
 * Revokes a code. Once it returns, nobody can redeem it. One that was revoked before is returned unchanged.
 * @throws TesseraError INVALID_CODE if there is no such code, CODE_REDEEMED
 */
export const revokeCode = (
  work: Work,
  { campaignCode, ...tenant }: Tenant & z.output<typeof RevokeCode>,
): Promise<FoundCode> =>
  inTransaction(work, async (txWork) => {
    const found = await findCode(txWork, { ...tenant, ...campaignCode })
    if (!found) throw new TesseraError('INVALID_CODE', { since: null })
    const { campaignId } = found.batch
    const stored = { ...tenantOf(tenant), hash: Buffer.from(found.hash).toString('hex') }
    const [locked] = await lockCodes(txWork.tx, [{ ...stored, campaignId }])
    const { redeemedAt } = locked ?? {}
    if (redeemedAt) throw new TesseraError('CODE_REDEEMED', { doneAt: redeemedAt })
    await writeRevocation(txWork.tx, stored, txWork.clock())
    return (await findCode(txWork, { ...tenant, id: found.id })) as FoundCode
  })

/** Whether a code can be redeemed now. */
export const codeStatusOf = (
  { redeemedAt, revokedAt, batch }: CodeOfBatch,
  campaign: Campaign,
  now: Date,
) => {
  if (redeemedAt) return 'REDEEMED'
  if (revokedAt) return 'REVOKED'
  const status = batchStatusOf(batch, now)
  if (status !== 'ACTIVE') return status
  return isRunning(campaign, now) ? 'REDEEMABLE' : 'CAMPAIGN_NOT_ACTIVE'
}

/** A code that was redeemed, with its batch. */
export type CodeRedemption = { id: string; userId: UserId; redeemedAt: Date; batch: CodeBatch }

export const redemptionOf = ({
  redemptionId: id,
  userId,
  redeemedAt,
  batch,
}: CodeOfBatch): CodeRedemption | null =>
  id && userId && redeemedAt ? { id, userId, redeemedAt, batch } : null

/** Redemptions by their ids, which are sorted by batch. */
export const findRedemptionsById = async (
  { tx }: Work,
  keys: { batchId: string; redemptionId: string }[],
): Promise<(CodeRedemption | null)[]> => {
  const found = await acrossTenants(tx, 'IDS').campaignCode.findMany({
    where: { OR: keys },
    include: { batch: true },
  })
  const redeemed = found.flatMap((code) => redemptionOf(code) ?? [])
  return inOrder(
    keys.map(({ redemptionId }) => redemptionId),
    redeemed,
  )
}

const redemptions = {
  from: Prisma.sql`campaign_code t`,
  name: 'redemptions',
  columns: Prisma.sql`t.redemption_id AS id, t.user_id AS "userId", t.redeemed_at AS "redeemedAt"`,
  parent: { batch_id: 'uuid' },
  by: { redemption_id: 'uuid' },
} as const

/** Parts of the redeemed codes of batches, the oldest redemption first. */
export const findRedemptions = (
  work: Work,
  parts: PartOf[],
): Promise<Omit<CodeRedemption, 'batch'>[][]> => findParts(work, redemptions, parts)
