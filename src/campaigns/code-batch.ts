/** Codes that are made by the thousand and shown once. */
import { setImmediate } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { refused, TesseraError } from '../core/errors.ts'
import { nodeId } from '../core/node-id.ts'
import type { Work } from '../core/runtime.ts'
import { type Tenant, tenantOf } from '../core/tenant.ts'
import { headline, maxPoints, moment, text } from '../core/validation.ts'
import type { Campaign, CodeBatch } from '../generated/prisma/client.ts'
import { CampaignBy, type FullCampaign, findCampaigns } from './campaign.ts'
import { codePrefix, drawCode } from './code.rules.ts'
import { codeHash } from './code-hash.ts'

const maxBatchSize = 10_000

const wholeNumber = (fault: string) => z.number({ error: fault }).int(fault).min(1, fault)

/** Codes to make (interface: Code batch). Both numbers are refused with the documented words. */
export const CreateCodeBatch = z
  .object({
    campaign: CampaignBy,
    codeCount: headline(
      wholeNumber(`must be between 1 and ${maxBatchSize}`)
        .max(maxBatchSize, `must be between 1 and ${maxBatchSize}`)
        .describe(`How many codes, 1 to ${maxBatchSize}.`),
    ),
    points: headline(
      wholeNumber('must be positive')
        .max(maxPoints, `must be at most ${maxPoints}`)
        .describe('Points for redeeming one code.'),
    ),
    label: text(255).nullish().describe('What the batch is for, in your words.'),
    expiresAt: moment()
      .nullish()
      .describe('No code of the batch can be redeemed from this moment on.'),
  })
  .describe('Codes to make.')

type AskedCodes = Tenant & { slug: string } & Omit<z.output<typeof CreateCodeBatch>, 'campaign'>

export const RevokeCodeBatch = z
  .object({ batchId: nodeId('CodeBatch').describe('The batch.') })
  .describe('A batch whose codes shall be worth nothing any more.')

export type GeneratedCodes = { codeBatch: CodeBatch & { campaign: FullCampaign }; codes: string[] }

/** So many codes are drawn and hashed before others have their turn in this process. */
const codesInOneGo = 500

/** As many different codes as asked for, by their hashes in hex. */
const drawCodes = async (
  { random }: Work,
  pepper: string,
  campaign: Campaign,
  count: number,
): Promise<Map<string, string>> => {
  const prefix = codePrefix(campaign.slug)
  const codes = new Map<string, string>()
  while (codes.size < count) {
    for (let i = 0; i < codesInOneGo && codes.size < count; i++) {
      const code = drawCode(prefix, random)
      codes.set(codeHash(pepper, campaign, code).toString('hex'), code)
    }
    await setImmediate()
  }
  return codes
}

/**
 * Makes a batch of codes in one insert and gives their texts, which are stored nowhere. A code that
 * was made before in another batch is drawn again.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; VALIDATION_FAILED when the batch would have expired already
 */
export const generateCodes = async (
  work: Work,
  pepper: string,
  { slug, codeCount, ...input }: AskedCodes,
): Promise<GeneratedCodes> => {
  const tenant = tenantOf(input)
  const [campaign] = await findCampaigns(work, [{ ...tenant, slug }])
  if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const createdAt = work.clock()
  if (input.expiresAt && input.expiresAt <= createdAt)
    throw refused('expiresAt', 'must be in the future')
  const id = uuid()
  let drawn = await drawCodes(work, pepper, campaign, codeCount)
  return inTransaction(work.tx, async (tx) => {
    const batch = await tx.codeBatch.create({
      data: {
        id,
        ...tenant,
        campaignId: campaign.id,
        batchSize: codeCount,
        pointsValue: input.points,
        label: input.label ?? null,
        expiresAt: input.expiresAt ?? null,
        createdAt,
      },
    })
    const codes: string[] = []
    for (;;) {
      codes.push(...(await insertCodes(tx, batch, drawn)))
      if (codes.length === codeCount) break
      drawn = await drawCodes(work, pepper, campaign, codeCount - codes.length)
    }
    return { codeBatch: { ...batch, campaign }, codes }
  })
}

/** Stores codes of a batch in one insert; gives those that were not there before. */
const insertCodes = async (
  tx: Work['tx'],
  { id, partnerId, environment }: CodeBatch,
  codes: Map<string, string>,
): Promise<string[]> => {
  // In the order of the index, so that its pages are filled one after the other.
  const hashes = [...codes.keys()].sort()
  const stored = await tx.$executeRaw`/* insert_codes */
    INSERT INTO campaign_code (partner_id, environment, hash, batch_id)
    SELECT ${partnerId}::uuid, ${environment}::"Environment", decode(hash, 'hex'), ${id}::uuid
    FROM string_to_table(${hashes.join()}, ',') AS hash
    ON CONFLICT (partner_id, environment, hash) DO NOTHING`
  if (stored === hashes.length) return [...codes.values()]
  const mine = await tx.$queryRaw<{ hash: string }[]>`/* find_stored_codes */
    SELECT h.hash FROM string_to_table(${hashes.join()}, ',') AS h (hash)
    JOIN campaign_code c ON c.partner_id = ${partnerId}::uuid
      AND c.environment = ${environment}::"Environment" AND c.hash = decode(h.hash, 'hex')
    WHERE c.batch_id = ${id}::uuid`
  return mine.map(({ hash }) => codes.get(hash) as string)
}

/**
 * Revokes a batch: none of its codes can be redeemed after this answers; those that were redeemed stay
 * so. A batch that was revoked before is given as it is.
 * @throws TesseraError CODE_BATCH_NOT_FOUND
 */
export const revokeCodeBatch = async (
  { tx, clock }: Work,
  { batchId, ...caller }: Tenant & { batchId: string },
): Promise<CodeBatch> => {
  const where = { id: batchId, ...tenantOf(caller) }
  await tx.codeBatch.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: clock() },
  })
  const batch = await tx.codeBatch.findFirst({ where })
  if (!batch) throw new TesseraError('CODE_BATCH_NOT_FOUND')
  return batch
}

/** Where the codes of a batch stand, apart from those that were redeemed. */
export const batchStatusOf = (
  { revokedAt, expiresAt }: Pick<CodeBatch, 'revokedAt' | 'expiresAt'>,
  now: Date,
): 'ACTIVE' | 'EXPIRED' | 'REVOKED' =>
  revokedAt ? 'REVOKED' : expiresAt && expiresAt <= now ? 'EXPIRED' : 'ACTIVE'

export type CodeStats = {
  total: number
  active: number
  redeemed: number
  expired: number
  revoked: number
  batches: number
}

/** Codes by state: of a campaign, or of all. */
export const readCodeStats = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { partnerId, environment }: Tenant,
  campaignId: string | null,
): Promise<CodeStats> => {
  const now = clock()
  const [row] = await tx.$queryRaw<Record<keyof CodeStats, bigint>[]>`/* read_code_stats */
    SELECT coalesce(sum(batch_size), 0)::bigint AS total,
      coalesce(sum(redeemed), 0)::bigint AS redeemed,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NOT NULL), 0)::bigint AS revoked,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND expires_at <= ${now}::timestamptz), 0)::bigint AS expired,
      coalesce(sum(unused) FILTER (WHERE revoked_at IS NULL
        AND (expires_at > ${now}::timestamptz OR expires_at IS NULL)), 0)::bigint AS active,
      count(*) AS batches
    FROM (SELECT *, batch_size - redeemed AS unused FROM code_batch
      WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
        AND (${campaignId}::uuid IS NULL OR campaign_id = ${campaignId}::uuid)) b`
  const { total, active, redeemed, expired, revoked, batches } = row as NonNullable<typeof row>
  return {
    total: Number(total),
    active: Number(active),
    redeemed: Number(redeemed),
    expired: Number(expired),
    revoked: Number(revoked),
    batches: Number(batches),
  }
}
