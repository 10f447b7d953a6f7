/** Batches of codes. A code is shown once, when its batch is created. */
import { setImmediate } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Campaign, CodeBatch } from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { sqlState } from '../kit/database/outage.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { headline, maxPoints, moment, text } from '../kit/validation.ts'
import { CampaignBy, type FullCampaign, findCampaigns } from './campaign.ts'
import { codeEnding, codeHash, codePrefix, drawCode } from './code.rules.ts'
import { countCodes, findStoredCodes, insertCodes } from './code.sql.ts'

const maxBatchSize = 10_000

const wholeNumber = (fault: string) => z.number({ error: fault }).int(fault).min(1, fault)

/** Codes to create (interface: Code batch). The messages of both numbers are documented. */
export const CreateCodeBatch = z
  .object({
    campaign: CampaignBy,
    codeCount: headline(
      wholeNumber(`must be between 1 and ${maxBatchSize}`)
        .max(maxBatchSize, `must be between 1 and ${maxBatchSize}`)
        .describe(`Number of codes, 1 to ${maxBatchSize}.`),
    ),
    points: headline(
      wholeNumber('must be positive')
        .max(maxPoints, `must be at most ${maxPoints}`)
        .describe('Points for redeeming one code.'),
    ),
    label: text(255).nullish().describe('Your note on what the batch is for.'),
    expiresAt: moment().nullish().describe('When the codes expire.'),
  })
  .describe('Codes to create.')

type AskedCodes = Tenant & { slug: string } & Omit<z.output<typeof CreateCodeBatch>, 'campaign'>

export const RevokeCodeBatch = z
  .object({ codeBatchId: nodeId('CodeBatch').describe('The batch.') })
  .describe('A batch to revoke.')

export type GeneratedCodes = { codeBatch: CodeBatch & { campaign: FullCampaign }; codes: string[] }

/** The number of codes to draw and hash before yielding to other requests. */
const codesInOneGo = 500

/** `count` distinct codes, keyed by their hashes in hexadecimal. */
const drawCodes = async (
  { random, keys }: Work,
  campaign: Campaign,
  count: number,
): Promise<Map<string, string>> => {
  const prefix = codePrefix(campaign.slug)
  const codes = new Map<string, string>()
  while (codes.size < count) {
    for (let i = 0; i < codesInOneGo && codes.size < count; i++) {
      const code = drawCode(prefix, random)
      codes.set(codeHash(keys.pepper, campaign, code).toString('hex'), code)
    }
    await setImmediate()
  }
  return codes
}

/** A batch that is not yet written, with its codes keyed by their hashes. */
type DrawnBatch = { batch: CodeBatch; campaign: FullCampaign; codes: Map<string, string> }

/**
 * Draws the codes of a batch. This is slow, so it runs before the transaction that writes them.
 * @throws TesseraError CAMPAIGN_NOT_FOUND; VALIDATION_FAILED when the batch would have expired already
 */
export const drawCodeBatch = async (
  work: Work,
  { slug, codeCount, ...input }: AskedCodes,
): Promise<DrawnBatch> => {
  const tenant = tenantOf(input)
  const [campaign] = await findCampaigns(work, [{ ...tenant, slug }])
  if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const createdAt = work.clock()
  if (input.expiresAt && input.expiresAt <= createdAt)
    throw refused('expiresAt', 'must be in the future')
  const batch = {
    id: uuid(),
    ...tenant,
    campaignId: campaign.id,
    batchSize: codeCount,
    redeemed: 0,
    revoked: 0,
    pointsValue: input.points,
    label: input.label ?? null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    createdAt,
  }
  return { batch, campaign, codes: await drawCodes(work, campaign, codeCount) }
}

/** Writes a batch and returns its codes, of which only hashes and endings are stored. Replaces codes that another batch has. */
export const writeCodeBatch = (
  work: Work,
  { batch, campaign, codes: drawn }: DrawnBatch,
): Promise<GeneratedCodes> =>
  inTransaction(work, async ({ tx }) => {
    await ofTenant(tx, batch)
      .codeBatch.create({ data: batch })
      .catch((error: unknown) => {
        // The campaign was a draft, and was deleted meanwhile.
        throw sqlState(error) === '23503' ? new TesseraError('CAMPAIGN_NOT_FOUND') : error
      })
    const codes = await storeCodes(tx, batch, drawn)
    while (codes.length < batch.batchSize) {
      const more = await drawCodes(work, campaign, batch.batchSize - codes.length)
      codes.push(...(await storeCodes(tx, batch, more)))
    }
    return { codeBatch: { ...batch, campaign }, codes }
  })

export const generateCodes = async (work: Work, requested: AskedCodes): Promise<GeneratedCodes> =>
  writeCodeBatch(work, await drawCodeBatch(work, requested))

/** Stores codes of a batch in one insert. Returns those that no other batch has. */
const storeCodes = async (
  tx: Work['tx'],
  batch: CodeBatch,
  codes: Map<string, string>,
): Promise<string[]> => {
  // Their ids sort like the codes, as the batch shows them when it is created.
  const drawn = [...codes].map(([hash, code]) => ({ hash, id: uuid(), ending: codeEnding(code) }))
  // Sorted like the primary key, so that its pages are filled in sequence.
  const sorted = drawn.toSorted((first, other) => (first.hash < other.hash ? -1 : 1))
  const stored = await insertCodes(tx, batch, sorted)
  if (stored === drawn.length) return [...codes.values()]
  const mine = await findStoredCodes(tx, batch, [...codes.keys()])
  return mine.map(({ hash }) => codes.get(hash) as string)
}

/**
 * Revokes a batch. Once it returns, none of its codes can be redeemed; redeemed codes stay redeemed. A batch that was
 * revoked before is returned unchanged.
 * @throws TesseraError CODE_BATCH_NOT_FOUND
 */
export const revokeCodeBatch = async (
  { tx, clock }: Work,
  { codeBatchId: id, ...tenant }: Tenant & { codeBatchId: string },
): Promise<CodeBatch> => {
  const own = ofTenant(tx, tenant).codeBatch
  await own.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: clock() },
  })
  const batch = await own.findFirst({ where: { id } })
  if (!batch) throw new TesseraError('CODE_BATCH_NOT_FOUND')
  return batch
}

/** The status of the unredeemed codes of a batch. */
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
  /** Points of the active codes. */
  activePoints: number
  /** Points of the best active code; 0 without any. */
  largestPoints: number
}

/** Counts codes by status, for campaigns and for whole tenants, in one statement. */
export const readCodeStats = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  requested: (Tenant & { campaignId: string | null })[],
): Promise<CodeStats[]> => {
  const found = await countCodes(tx, requested, clock())
  return found.map(({ total, active, redeemed, expired, revoked, batches, ...points }) => ({
    total: Number(total),
    active: Number(active),
    redeemed: Number(redeemed),
    expired: Number(expired),
    revoked: Number(revoked),
    batches: Number(batches),
    activePoints: Number(points.activePoints),
    largestPoints: points.largestPoints,
  }))
}
