/** Referrals: a user refers another, and both are rewarded. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type {
  Campaign,
  CampaignParticipant,
  EndUser,
  Referral,
} from '../generated/prisma/client.ts'
import { inTransaction } from '../kit/database/db.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { EventData } from '../kit/streams/events.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { reference } from '../kit/validation.ts'
import { isBlocked, userBlocked } from '../users/block.rules.ts'
import { findUsers, lockOrMakeSome, lockUsers, UserBy } from '../users/end-user.ts'
import type { referralCompleted } from './campaign.events.ts'
import { CampaignBy, type CampaignKey, holdCampaigns, notRunning } from './campaign.ts'
import { isRunning } from './campaign-phase.rules.ts'
import { drawReferralCode, normalCode } from './code.rules.ts'
import { giveCodes } from './participant.sql.ts'
import { creditParticipants, type Participant, type ParticipantCredit } from './participant.ts'
import { insertReferrals, readPairs } from './referral.sql.ts'

/** Who counts as the same person in referrals. */

/** The address that an id spells: without blanks, invisible characters, case, and the tag of `name+tag@example.com`. */
const addressOf = (id: string): string =>
  id
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/^([^@+]+)\+[^@]*(@[^@]+)$/, '$1$2')

/** Whether two ids are spellings of one address. */
const isSameAddress = (first: string, other: string): boolean =>
  first === other || addressOf(first) === addressOf(other)

export const RecordReferral = z
  .object({
    campaign: CampaignBy,
    referrer: UserBy.describe('The user who referred. Must exist.'),
    referee: UserBy.describe('The new user. An unknown `externalId` creates a user.'),
    referralCode: reference().describe(
      'The code of the referrer. Case, blanks and hyphens do not matter.',
    ),
  })
  .describe('A referral to record.')

type AskedReferral = Tenant & {
  slug: string
  referrer: ExternalId
  referee: ExternalId
  referralCode: string
}

/** The result of a referral, with both participants right after it. */
export type CompletedReferral = {
  referral: Referral
  referrer: Participant
  referee: Participant
}

type Pair = { n: number; ask: AskedReferral; campaign: Campaign; referrer: EndUser }

const nameOf = (campaign: Campaign, externalId: string) => JSON.stringify([campaign.id, externalId])

/**
 * Records referrals in the order of the list, in one transaction, and rewards both users.
 *
 * The result of a refused referral is CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_ACTIVE, USER_NOT_FOUND (the referrer is
 * unknown), REFERRALS_NOT_ENABLED, USER_BLOCKED (one of the two is), SELF_REFERRAL (also by another spelling of the same address, and in a ring
 * of two or three), INVALID_REFERRAL_CODE or ALREADY_REFERRED. It creates no user.
 */
export const recordReferrals = (
  work: Work,
  requested: AskedReferral[],
): Promise<(CompletedReferral | Error)[]> =>
  inTransaction(work, (txWork) => recordIn(txWork, requested))

const recordIn = async (
  work: Transaction,
  requested: AskedReferral[],
): Promise<(CompletedReferral | Error)[]> => {
  const campaigns = await holdCampaigns(work, requested)
  const everybody = requested.flatMap((ask) =>
    [ask.referrer, ask.referee].map((externalId) => ({ ...tenantOf(ask), externalId })),
  )
  // Judged before the lock, too, because referees are created in the order in which everybody is locked.
  const seen = await judge(work, requested, campaigns, await findUsers(work, everybody))
  if (seen.accepted.length === 0) return seen.results
  const likely = new Set(seen.accepted.map(({ n }) => n))
  const users = await lockOrMakeSome(
    work,
    everybody.map((key, i) => ({ ...key, isMade: i % 2 === 1 && likely.has((i - 1) / 2) })),
  )
  const { results, accepted } = await judge(work, requested, campaigns, users)
  const certain = accepted.filter(({ n }) => likely.has(n))
  const refused = results.map((result, n) => (likely.has(n) ? result : (seen.results[n] as Error)))
  if (certain.length > 0) await complete(work, certain, users, refused)
  return refused
}

/** The referrals to accept. The others have their refusal in `results`. */
const judge = async (
  work: Transaction,
  requested: AskedReferral[],
  campaigns: (Campaign | null)[],
  users: (EndUser | null)[],
): Promise<{ accepted: Pair[]; results: (CompletedReferral | Error)[] }> => {
  const now = work.clock()
  const results: (CompletedReferral | Error)[] = campaigns.map((campaign) =>
    notRunning(campaign, now),
  )
  const pairs: Pair[] = []
  requested.forEach((ask, n) => {
    const [campaign, referrer] = [campaigns[n], users[2 * n]]
    if (!campaign || !isRunning(campaign, now)) return
    if (campaign.referrerReward === null) results[n] = new TesseraError('REFERRALS_NOT_ENABLED')
    else if (isSameAddress(ask.referrer, ask.referee))
      results[n] = new TesseraError('SELF_REFERRAL')
    else if (referrer) {
      const referee = users[2 * n + 1]
      if (isBlocked(referrer, now)) results[n] = userBlocked({ path: 'referrer' })
      else if (referee && isBlocked(referee, now)) results[n] = userBlocked({ path: 'referee' })
      else pairs.push({ n, ask, campaign, referrer })
    } else results[n] = new TesseraError('USER_NOT_FOUND', { path: 'referrer' })
  })
  if (pairs.length === 0) return { accepted: [], results }

  const found = await readPairs(
    work.tx,
    pairs.map(({ n, campaign, referrer }) => ({
      campaignId: campaign.id,
      referrerId: referrer.id,
      refereeId: users[2 * n + 1]?.id ?? null,
    })),
  )
  const known = new Map(found.map((row) => [row.n, row]))
  const referrerOf = referrersIn(pairs, known)
  const accepted = pairs.filter(({ n, ask, campaign }, i) => {
    const row = known.get(i)
    const refusal = isRing(referrerOf, campaign, ask)
      ? new TesseraError('SELF_REFERRAL')
      : row?.code !== normalCode(ask.referralCode)
        ? new TesseraError('INVALID_REFERRAL_CODE', { since: null })
        : referrerOf.has(nameOf(campaign, ask.referee))
          ? new TesseraError('ALREADY_REFERRED', { doneAt: row?.refereeReferredAt ?? now })
          : null
    if (refusal) results[n] = refusal
    else referrerOf.set(nameOf(campaign, ask.referee), ask.referrer)
    return !refusal
  })
  return { accepted, results }
}

type Known = Awaited<ReturnType<typeof readPairs>>[number]

/** Who has referred a user in a campaign, by `nameOf`. Referrals of a list are added as they are accepted. */
type Referrers = Map<string, string>

const referrersIn = (pairs: Pair[], known: Map<number, Known>): Referrers => {
  const referrers: Referrers = new Map()
  for (const [i, { ask, campaign }] of pairs.entries()) {
    const row = known.get(i)
    let user: string | null = ask.referrer
    for (const referrer of [row?.referrerReferredBy, row?.theirReferredBy]) {
      if (user !== null && referrer != null) referrers.set(nameOf(campaign, user), referrer)
      user = referrer ?? null
    }
    if (row?.refereeReferredBy != null)
      referrers.set(nameOf(campaign, ask.referee), row.refereeReferredBy)
  }
  return referrers
}

/**
 * Whether a user would refer who referred them, or who referred those. The users of a ring are locked in one order, so
 * of simultaneous referrals that would close one, the last sees the others.
 */
const isRing = (
  referrerOf: Referrers,
  campaign: Campaign,
  { referrer, referee }: AskedReferral,
) => {
  const first = referrerOf.get(nameOf(campaign, referrer))
  const second = first && referrerOf.get(nameOf(campaign, first))
  return [first, second].some((user) => user !== undefined && isSameAddress(user, referee))
}

/** The row of a referral, and the data of its event. */
const rowOf = ({ campaign, ask, referrer }: Pair, referee: EndUser, now: Date) => {
  const rewards = {
    referrerReward: campaign.referrerReward ?? 0,
    refereeReward: campaign.refereeReward ?? 0,
  }
  return {
    id: uuid(),
    ...tenantOf(campaign),
    campaignId: campaign.id,
    referrerId: referrer.id,
    refereeId: referee.id,
    ...rewards,
    data: {
      campaignId: campaign.id,
      campaignSlug: campaign.slug,
      referrerId: ask.referrer,
      refereeId: ask.referee,
      ...rewards,
      environment: campaign.environment,
      completedAt: now.toISOString(),
    } satisfies EventData<typeof referralCompleted>,
  }
}

/** Writes referrals and rewards both users of each, who are locked. */
const complete = async (
  work: Transaction,
  pairs: Pair[],
  users: (EndUser | null)[],
  results: (CompletedReferral | Error)[],
) => {
  const now = work.clock()
  const referees = pairs.map(({ n }) => users[2 * n + 1])
  const rows = pairs.map((pair, i) => rowOf(pair, referees[i] as EndUser, now))
  await insertReferrals(work.tx, rows, now)
  const participants = await creditParticipants(
    work,
    pairs.flatMap(({ campaign, referrer }, i): ParticipantCredit[] => {
      const { id, referrerReward, refereeReward } = rows[i] as (typeof rows)[number]
      const ledgerType = 'campaign_referral'
      // Neither timeline names the other user, because either user may be erased.
      const metadata = { referralId: id }
      const common = { campaign, ledgerType, metadata } as const
      return [
        {
          ...common,
          id,
          user: referrer,
          points: referrerReward,
          eventType: 'referral',
          fact: 'REFERRAL_MADE',
          referrals: 1,
        },
        {
          ...common,
          id: uuid(),
          user: referees[i] as EndUser,
          points: refereeReward,
          eventType: 'referred',
          fact: null,
        },
      ]
    }),
  )
  pairs.forEach(({ n }, i) => {
    const { data: _, ...referral } = rows[i] as (typeof rows)[number]
    results[n] = {
      referral: { ...referral, createdAt: now },
      referrer: participants[2 * i] as Participant,
      referee: participants[2 * i + 1] as Participant,
    }
  })
}

export const CreateReferralCode = z
  .object({ campaign: CampaignBy, user: UserBy.describe('The user who refers. Must exist.') })
  .describe('A user who needs a referral code.')

type AskedReferralCode = CampaignKey & { externalId: ExternalId }

/**
 * Returns the referral codes of users, in one transaction. Creates codes for users without one.
 *
 * The result of a refused call is CAMPAIGN_NOT_FOUND, USER_NOT_FOUND, REFERRALS_NOT_ENABLED or USER_BLOCKED.
 */
export const giveReferralCodes = (
  work: Work,
  requested: AskedReferralCode[],
): Promise<(Participant | Error)[]> => inTransaction(work, (txWork) => giveIn(txWork, requested))

const giveIn = async (
  work: Transaction,
  requested: AskedReferralCode[],
): Promise<(Participant | Error)[]> => {
  const campaigns = await holdCampaigns(work, requested)
  const users = await lockUsers(work, requested)
  const now = work.clock()
  const owners = requested.flatMap((_, n) => {
    const [campaign, user] = [campaigns[n], users[n]]
    const mayRefer = user && campaign?.referrerReward != null && !isBlocked(user, now)
    return mayRefer ? [{ n, campaign, user }] : []
  })
  const codes = await makeCodes(work, owners)
  const results: (Participant | Error)[] = requested.map((_, n) => {
    const [campaign, user] = [campaigns[n], users[n]]
    if (!campaign || !user)
      return new TesseraError(campaign ? 'USER_NOT_FOUND' : 'CAMPAIGN_NOT_FOUND')
    return campaign.referrerReward === null
      ? new TesseraError('REFERRALS_NOT_ENABLED')
      : userBlocked()
  })
  for (const { n, campaign, user } of owners) {
    const row = codes.get(`${campaign.id} ${user.id}`)
    if (row) results[n] = { ...row, user }
  }
  return results
}

/**
 * Creates missing codes and participants. If another user has the code, the transaction fails, and the retry draws a
 * new code.
 */
const makeCodes = async (
  { tx, clock, random }: Transaction,
  owners: { campaign: Campaign; user: EndUser }[],
): Promise<Map<string, CampaignParticipant>> => {
  const given = await giveCodes(
    tx,
    owners.map(({ campaign, user }) => ({
      id: uuid(),
      ...tenantOf(campaign),
      campaignId: campaign.id,
      userId: user.id,
      externalId: user.externalId,
      code: drawReferralCode(random),
    })),
    clock(),
  )
  return new Map(given.map((row) => [`${row.campaignId} ${row.userId}`, row]))
}
