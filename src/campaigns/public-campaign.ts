/** The public page of a campaign: what anyone can see and do without a key. */

import { z } from 'zod'
import { refuseOtherVisitor } from '../accounts/visitor.ts'
import type { Campaign, Partner, Prisma, PrizeTier } from '../generated/prisma/client.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import { Environment as environments } from '../generated/prisma/enums.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { load } from '../kit/schema/edge.ts'
import { externalId } from '../kit/user-id.ts'
import { isStorable, oneOf, reference, text } from '../kit/validation.ts'
import { userOf } from '../users/end-user.ts'
import { newVisitorLimitOf, orNewUser } from '../users/new-user-limit.ts'
import { publicName } from './campaign.rules.ts'
import { type FullCampaign, slugFormat, withMechanics } from './campaign.ts'
import { phaseOf } from './campaign-phase.rules.ts'
import { isWinCode, normalCode } from './code.rules.ts'
import { haveOpenBatches } from './code.sql.ts'
import { redeemCodes } from './code-redemption.ts'
import { guessingAddress, limitGuesses } from './guessing.ts'
import { redeemWinCodes } from './instant-win.ts'
import { listParticipants } from './participant.ts'

/** The URL of the public page of a campaign. */
export const campaignPageOf = (
  publicUrl: string,
  partnerSlug: string,
  { slug, environment }: { slug: string; environment: Environment },
): string =>
  `${publicUrl}/campaign/${encodeURIComponent(partnerSlug)}/${slug}${environment === 'TEST' ? '?env=test' : ''}`

/** Names and time zones of partners by their ids, and whether they are closed. */
export const getPartnerNames = async (
  { tx }: Work,
  partnerIds: string[],
): Promise<(Pick<Partner, 'slug' | 'name' | 'timeZone' | 'closedAt'> | Error)[]> => {
  const partners = await tx.partner.findMany({
    where: { id: { in: [...new Set(partnerIds)] } },
    select: { id: true, slug: true, name: true, timeZone: true, closedAt: true },
  })
  return inOrder(partnerIds, partners).map((item) => item ?? new TesseraError('PARTNER_NOT_FOUND'))
}

type PublicCampaignKey = { partnerSlug: string; slug: string; environment: Environment }

/** Campaigns with a public page, unless their partner is closed. */
export const publicCampaigns = {
  status: { not: 'DRAFT' },
} as const satisfies Prisma.CampaignWhereInput

/** A campaign by the slugs of its URL. Null if it does not exist or is a draft. */
export const findPublicCampaign = async (
  { tx }: Pick<Work, 'tx'>,
  { partnerSlug, slug, environment }: PublicCampaignKey,
): Promise<FullCampaign | null> => {
  if (!isStorable(partnerSlug) || !slugFormat.test(slug)) return null
  const partner = await tx.partner.findUnique({ where: { slug: partnerSlug } })
  if (!partner || partner.closedAt) return null
  const tenant = { partnerId: partner.id, environment }
  const campaign = await ofTenant(tx, tenant).campaign.findFirst({
    where: { slug },
    include: withMechanics,
  })
  return campaign?.status === 'DRAFT' ? null : campaign
}

/** Whether each campaign has a batch that is neither revoked nor expired. */
const findOpenBatches = async ({ tx, clock }: Work, ids: string[]): Promise<boolean[]> => {
  const campaigns = ids.map((id) => ({ id }))
  return (await haveOpenBatches(tx, campaigns, clock())).map(({ isOpen }) => isOpen)
}

/** Whether a campaign may have codes or win codes that can be redeemed now. */
export const takesCodes = async (
  runtime: Pick<Runtime, 'readAll' | 'clock'>,
  campaign: Campaign,
): Promise<boolean> => {
  const phase = phaseOf(campaign, runtime.clock())
  if (phase === 'DRAFT' || phase === 'UPCOMING') return false
  // Wins can be redeemed after the end, too.
  if (campaign.winsPerMillion !== null) return true
  return phase === 'ACTIVE' && load(runtime, findOpenBatches, campaign.id)
}

export type PublicLeader = { rank: number; name: string; campaignPoints: bigint }

/** The top ten, under public names. */
export const listPublicLeaders = async (
  runtime: Pick<Runtime, 'read' | 'readAll'>,
  { id: campaignId }: Campaign,
): Promise<PublicLeader[]> => {
  const part = { take: 10, skip: 0, backward: false, from: undefined }
  const leaders = await runtime.read(listParticipants, { ...part, campaignId })
  return Promise.all(
    leaders
      .filter(({ totalPoints }) => totalPoints > 0n)
      .map(async (leader, i) => {
        const { displayName, externalId } = await userOf(runtime, leader)
        const name = publicName(displayName, externalId)
        return { rank: i + 1, name, campaignPoints: leader.totalPoints }
      }),
  )
}

export const RedeemPublicCode = z
  .object({
    partnerSlug: text(255).describe('Slug of the partner, as in the URL of the page.'),
    slug: text(255).describe('Slug of the campaign.'),
    environment: oneOf('Environment', environments).nullish().describe('Defaults to LIVE.'),
    externalId: externalId().describe("The partner's id of the user who gets the points."),
    code: reference().describe('A code, or a win code of this user.'),
    userToken: text(4096)
      .nullish()
      .describe(
        'A token of the user that Tessera has signed. Required while an application with public keys requires tokens. The header `X-User-Token` overrides it.',
      ),
  })
  .describe('A code typed on the page of a campaign.')

type PublicRedemption = {
  campaign: FullCampaign
  /** The points that the code paid. */
  points: number
  /** The prize, if it was a win code. */
  prize: PrizeTier | null
}

/**
 * Redeems a code for the user whom a visitor names. The result does not reveal whether the user existed, nor their
 * total. Wrong codes count against the address of the visitor.
 * @throws TesseraError CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_ACTIVE, those of a refused code, RATE_LIMITED; those of a
 * visitor who may not name this user
 */
export const redeemPublicCode = async (
  runtime: Runtime,
  ip: string,
  input: z.output<typeof RedeemPublicCode>,
): Promise<PublicRedemption> =>
  limitGuesses(runtime, guessingAddress(ip), async () => {
    const environment = input.environment ?? 'LIVE'
    const campaign = await findPublicCampaign(runtime, { ...input, environment })
    if (!campaign) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    const { partnerId, slug } = campaign
    const { externalId, userToken: token } = input
    await refuseOtherVisitor(runtime, campaign, { externalId, token })
    // A visitor without a token only says who they are.
    const ask = { partnerId, environment, slug, externalId, isProven: token != null }
    const code = normalCode(input.code)
    if (!isWinCode(code)) {
      const limit = newVisitorLimitOf(runtime, campaign, ip)
      const { codeBatch } = await orNewUser(runtime, limit, ask, () =>
        runtime.write(redeemCodes, { ...ask, code }),
      )
      return { campaign, points: codeBatch.pointsValue, prize: null }
    }
    const { instantWin } = await runtime.write(redeemWinCodes, { ...ask, winCode: code })
    return { campaign, points: instantWin.points, prize: instantWin.tier }
  })
