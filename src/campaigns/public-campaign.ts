/** The public page of a campaign: what anyone can see and do without a key. */

import { z } from 'zod'
import { refuseOtherVisitor } from '../accounts/visitor.ts'
import type { Campaign, PrizeTier } from '../generated/prisma/client.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import { Environment as environments } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
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
export const gameUrlOf = (
  publicUrl: string,
  partnerSlug: string,
  { slug, environment }: { slug: string; environment: Environment },
): string =>
  `${publicUrl}/campaign/${encodeURIComponent(partnerSlug)}/${slug}${environment === 'TEST' ? '?env=test' : ''}`

/** Names of partners by their ids. */
export const getPartnerNames = async (
  { tx }: Work,
  partnerIds: string[],
): Promise<({ slug: string; name: string } | Error)[]> => {
  const partners = await tx.partner.findMany({
    where: { id: { in: [...new Set(partnerIds)] } },
    select: { id: true, slug: true, name: true },
  })
  const names = new Map(partners.map((partner) => [partner.id, partner]))
  return partnerIds.map((id) => names.get(id) ?? new TesseraError('PARTNER_NOT_FOUND'))
}

type PublicCampaignKey = { partnerSlug: string; slug: string; environment: Environment }

/** A campaign by the slugs of its URL. Null if it does not exist or is a draft. */
export const findPublicCampaign = async (
  { tx }: Pick<Work, 'tx'>,
  { partnerSlug, slug, environment }: PublicCampaignKey,
): Promise<FullCampaign | null> => {
  if (!isStorable(partnerSlug) || !slugFormat.test(slug)) return null
  const partner = await tx.partner.findUnique({ where: { slug: partnerSlug } })
  if (!partner || partner.closedAt) return null
  const campaign = await tx.campaign.findUnique({
    where: { partnerId_environment_slug: { partnerId: partner.id, environment, slug } },
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
  { read, clock }: Pick<Runtime, 'read' | 'clock'>,
  campaign: Campaign,
): Promise<boolean> => {
  const phase = phaseOf(campaign, clock())
  if (phase === 'DRAFT' || phase === 'UPCOMING') return false
  // Wins can be redeemed after the end, too.
  if (campaign.winsPerMillion !== null) return true
  return phase === 'ACTIVE' && read(findOpenBatches, campaign.id)
}

export type PublicLeader = { rank: number; name: string; campaignPoints: bigint }

/** The top ten, under public names. */
export const listPublicLeaders = async (
  { read }: Pick<Runtime, 'read'>,
  { id: campaignId }: Campaign,
): Promise<PublicLeader[]> => {
  const part = { take: 10, skip: 0, backward: false, from: undefined }
  const leaders = await read(listParticipants, { ...part, campaignId })
  return Promise.all(
    leaders
      .filter(({ totalPoints }) => totalPoints > 0n)
      .map(async (leader, i) => {
        const { displayName, externalId } = await userOf({ read }, leader)
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
  prizeTier: PrizeTier | null
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
    const ask = { partnerId, environment, slug, externalId }
    const code = normalCode(input.code)
    if (!isWinCode(code)) {
      const limit = newVisitorLimitOf(runtime, campaign, ip)
      const { codeBatch } = await orNewUser(runtime, limit, ask, () =>
        runtime.write(redeemCodes, { ...ask, code }),
      )
      return { campaign, points: codeBatch.pointsValue, prizeTier: null }
    }
    const { instantWin } = await runtime.write(redeemWinCodes, { ...ask, winCode: code })
    return { campaign, points: instantWin.points, prizeTier: instantWin.tier }
  })
