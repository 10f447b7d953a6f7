/** Codes of batches are redeemed, once each. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { TesseraError } from '../core/errors.ts'
import { emit } from '../core/events.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { reference } from '../core/validation.ts'
import { type Campaign, type CodeBatch, type EndUser, Prisma } from '../generated/prisma/client.ts'
import { findUsers, lockUsers, makeUsers, UserBy } from '../users/end-user.ts'
import { isRunning, phaseOf } from './campaign.rules.ts'
import { CampaignBy, holdCampaigns, notRunning } from './campaign.ts'
import { batchStatusOf } from './code-batch.ts'
import { codeHash } from './code-hash.ts'
import { creditParticipants, type Participant } from './participant.ts'

export const RedeemCode = z
  .object({
    campaign: CampaignBy,
    code: reference().describe('The code, in capitals or not.'),
    user: UserBy.describe('Who redeems it. An `externalId` that nobody has makes a user.'),
  })
  .describe('A code to redeem.')

/** What a redemption wrote: the participant as they stand right after it. */
export type RedeemedCode = {
  /** As all redemptions of the list leave it. */
  codeBatch: CodeBatch
  participant: Participant
  user: EndUser
  message: string
}

export type AskedCode = Tenant & { slug: string; code: string; userId: string; pepper: string }

/** A code with its batch. */
type CodeRow = CodeBatch & { n: number; hash: string; redeemedAt: Date | null }

/** What is wrong with a code, if anything. */
const refusalOf = (code: CodeRow | undefined, now: Date): TesseraError | null => {
  if (!code) return new TesseraError('INVALID_CODE', { since: null })
  const { redeemedAt, revokedAt, expiresAt } = code
  if (redeemedAt) return new TesseraError('CODE_REDEEMED', { doneAt: redeemedAt })
  const status = batchStatusOf(code, now)
  if (status === 'REVOKED') return new TesseraError('CODE_REVOKED', { since: revokedAt })
  return status === 'EXPIRED' ? new TesseraError('CODE_EXPIRED', { since: expiresAt }) : null
}

/**
 * Redeems codes, each once, however many callers come at the same moment. In the order of the list, in
 * one transaction. Users who do not exist are made.
 *
 * In the place of a refused code stands CAMPAIGN_NOT_ACTIVE, INVALID_CODE (unknown, or of another
 * campaign), CODE_REDEEMED, CODE_EXPIRED or CODE_REVOKED; it makes no user.
 */
export const redeemCodes = (work: Work, asked: AskedCode[]): Promise<(RedeemedCode | Error)[]> =>
  inTransaction(work.tx, async (tx) => redeemIn({ ...work, tx }, asked))

type Redemption = { n: number; ask: AskedCode; campaign: Campaign; code: CodeRow }

const redeemIn = async (work: Work, asked: AskedCode[]): Promise<(RedeemedCode | Error)[]> => {
  const now = work.clock()
  const campaigns = await holdCampaigns(work, asked)
  const codes = await lockCodes(work, asked, campaigns)
  const taken = new Map<string, Redemption>()
  const results: (RedeemedCode | Error)[] = asked.map((ask, n) => {
    const [campaign, code] = [campaigns[n], codes.get(n)]
    if (!campaign || !isRunning(campaign, now)) return notRunning(campaign ?? null, now)
    const refusal = refusalOf(code, now)
    if (refusal || !code) return refusal as TesseraError
    if (taken.has(code.hash)) return new TesseraError('CODE_REDEEMED', { doneAt: now })
    taken.set(code.hash, { n, ask, campaign, code })
    return new TesseraError('INTERNAL')
  })
  const redemptions = [...taken.values()]
  if (redemptions.length === 0) return results

  const keys = redemptions.map(({ ask }) => ({ ...tenantOf(ask), externalId: ask.userId }))
  await makeUsers(work, keys)
  await lockUsers(work, keys)
  const users = (await findUsers(work, keys)) as EndUser[]
  const ids = redemptions.map(() => uuid())
  await writeRedemptions(work, redemptions, users, ids)
  const participants = await creditParticipants(
    work,
    redemptions.map(({ campaign, code }, i) => ({
      id: ids[i] as string,
      campaign,
      user: users[i] as EndUser,
      points: code.pointsValue,
      eventType: 'code_redeemed',
      ledgerType: 'campaign_code',
      metadata: { batchId: code.id, ...(code.label !== null && { label: code.label }) },
    })),
  )
  const redeemedOf = Map.groupBy(redemptions, ({ code }) => code.id)
  redemptions.forEach(({ n, code: { n: _, hash: __, redeemedAt: ___, ...batch } }, i) => {
    const participant = participants[i] as Participant
    const redeemed = batch.redeemed + (redeemedOf.get(batch.id)?.length ?? 0)
    results[n] = {
      codeBatch: { ...batch, redeemed },
      ...{ participant, user: participant.user },
      message: `Code redeemed: ${batch.pointsValue} points earned`,
    }
  })
  return results
}

/** The codes, each in the place of its asker, kept from others until the transaction ends. */
const lockCodes = async (
  { tx }: Work,
  asked: AskedCode[],
  campaigns: (Campaign | null)[],
): Promise<Map<number, CodeRow>> => {
  const rows = asked.flatMap((ask, n) => {
    const campaign = campaigns[n]
    if (!campaign) return []
    const hash = codeHash(ask.pepper, campaign, ask.code).toString('hex')
    const { id, partnerId, environment } = campaign
    return { n, campaign_id: id, partner_id: partnerId, environment, hash }
  })
  const codes = await tx.$queryRaw<CodeRow[]>`/* lock_codes */
    SELECT k.n, k.hash, b.id, b.partner_id AS "partnerId", b.environment,
      b.campaign_id AS "campaignId", b.batch_size AS "batchSize", b.points_value AS "pointsValue",
      b.label, b.expires_at AS "expiresAt", b.redeemed, b.revoked_at AS "revokedAt",
      b.created_at AS "createdAt", c.redeemed_at AS "redeemedAt"
    FROM (
      SELECT i.*, f.batch_id FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS i (n int, campaign_id uuid, partner_id uuid, environment "Environment", hash text)
      CROSS JOIN LATERAL (SELECT batch_id FROM campaign_code
        WHERE (partner_id, environment, hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      ORDER BY f.batch_id, i.hash) k
    CROSS JOIN LATERAL (SELECT * FROM code_batch
      WHERE id = k.batch_id AND campaign_id = k.campaign_id LIMIT 1 FOR UPDATE) b
    CROSS JOIN LATERAL (SELECT redeemed_at FROM campaign_code
      WHERE (partner_id, environment, hash)
        = (k.partner_id, k.environment, decode(k.hash, 'hex')) LIMIT 1 FOR UPDATE) c`
  return new Map(codes.map((code) => [code.n, code]))
}

const writeRedemptions = async (
  { tx, clock }: Work,
  redemptions: Redemption[],
  users: EndUser[],
  ids: string[],
) => {
  const now = clock()
  const rows = redemptions.map(({ campaign, code, ask }, i) => ({
    id: ids[i],
    partner_id: campaign.partnerId,
    environment: campaign.environment,
    hash: code.hash,
    batch_id: code.id,
    user_id: users[i]?.id,
    data: {
      redemptionId: ids[i],
      campaignId: campaign.id,
      campaignSlug: campaign.slug,
      batchId: code.id,
      ...(code.label !== null && { label: code.label }),
      userId: ask.userId,
      pointsEarned: code.pointsValue,
      environment: campaign.environment,
      redeemedAt: now,
    },
  }))
  const [counted] = await tx.$queryRaw<{ redeemed: number }[]>`/* redeem_codes */
    WITH input AS MATERIALIZED (
      SELECT *, ${now}::timestamptz AS occurred_at
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS i (id uuid, partner_id uuid,
        environment "Environment", hash text, batch_id uuid, user_id uuid, data json)
    ), redeemed AS (
      UPDATE campaign_code c SET redeemed_at = i.occurred_at, user_id = i.user_id,
        redemption_id = i.id
      FROM input i CROSS JOIN LATERAL (SELECT ctid FROM campaign_code
        WHERE (partner_id, environment, hash)
          = (i.partner_id, i.environment, decode(i.hash, 'hex')) LIMIT 1) f
      WHERE c.ctid = f.ctid AND c.redeemed_at IS NULL
      RETURNING i.*
    ), batch AS (
      UPDATE code_batch b SET redeemed = b.redeemed + r.codes
      FROM (SELECT batch_id, count(*) AS codes FROM redeemed GROUP BY batch_id) r
      WHERE b.id = r.batch_id
    ), event AS (${emit('campaign.code_redeemed', Prisma.sql`SELECT * FROM redeemed`)}
    )
    SELECT count(*)::int AS redeemed FROM redeemed`
  if (counted?.redeemed !== rows.length) throw new Error('a code was redeemed under its lock')
}

export const VerifyCode = z
  .object({ code: reference().describe('The code, in capitals or not.') })
  .describe('A code to look at.')

export type VerifiedCode = {
  valid: boolean
  pointsValue: number | null
  campaignName: string | null
  campaignSlug: string | null
  expired: boolean
  message: string
}

/** Says whether a code could be redeemed now, and for what. It changes nothing. */
export const verifyCode = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  pepper: string,
  { code, ...caller }: Tenant & { code: string },
): Promise<VerifiedCode> => {
  const now = clock()
  const tenant = tenantOf(caller)
  const found = await tx.campaignCode.findUnique({
    where: {
      partnerId_environment_hash: {
        ...tenant,
        hash: new Uint8Array(codeHash(pepper, tenant, code)),
      },
    },
    include: { batch: { include: { campaign: true } } },
  })
  const batch = found?.batch
  const row =
    found && batch ? { ...batch, n: 0, hash: '', redeemedAt: found.redeemedAt } : undefined
  const refusal = refusalOf(row, now)
  const phase = batch && phaseOf(batch.campaign, now)
  const running = phase === 'ACTIVE'
  return {
    valid: !refusal && running,
    pointsValue: batch?.pointsValue ?? null,
    campaignName: batch?.campaign.name ?? null,
    campaignSlug: batch?.campaign.slug ?? null,
    expired: refusal?.code === 'CODE_EXPIRED',
    message: refusal
      ? refusal.message
      : running
        ? 'Code is valid and redeemable'
        : 'Code is valid, but its campaign is not active',
  }
}
