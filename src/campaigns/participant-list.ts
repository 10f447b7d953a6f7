/** Participants by points: parts of the lists of many campaigns in one statement. */
import type { Part } from '../core/graphql/connection.ts'
import type { Work } from '../core/runtime.ts'
import { type CampaignParticipant, Prisma } from '../generated/prisma/client.ts'

/** Where participants stand: points descending, then who reached them first, then externalId. */
export const byPoints = 'totalPoints desc, pointsReachedAt asc, externalId asc'

export type ParticipantPart = Part & { campaignId: string }

/** The columns of a participant `p`. */
export const participantColumns = Prisma.sql`
  p.id, p.partner_id AS "partnerId", p.environment, p.campaign_id AS "campaignId",
  p.user_id AS "userId", p.external_id AS "externalId", p.total_points AS "totalPoints", p.plays,
  p.wins, p.referral_code AS "referralCode", p.referral_count AS "referralCount",
  p.referral_rewards AS "referralRewards", p.points_reached_at AS "pointsReachedAt",
  p.joined_at AS "joinedAt"`

/** Those behind a place of `k`. Without one the bound on the points lets all pass. */
const behind = Prisma.sql`
  p.total_points <= coalesce(k.points, 9223372036854775807)
  AND (p.total_points < coalesce(k.points, 9223372036854775807) OR p.points_reached_at > k.reached_at
    OR (p.points_reached_at = k.reached_at AND p.external_id > k.external_id))
  ORDER BY p.total_points DESC, p.points_reached_at, p.external_id`

const ahead = Prisma.sql`
  p.total_points >= coalesce(k.points, -1)
  AND (p.total_points > coalesce(k.points, -1) OR p.points_reached_at < k.reached_at
    OR (p.points_reached_at = k.reached_at AND p.external_id < k.external_id))
  ORDER BY p.total_points, p.points_reached_at DESC, p.external_id DESC`

/** Parts of lists, each the item next to its place first. */
export const listParticipants = async (
  { tx }: Work,
  parts: ParticipantPart[],
): Promise<CampaignParticipant[][]> => {
  const lists: CampaignParticipant[][] = parts.map(() => [])
  for (const isBackward of [false, true]) {
    const asked = parts.flatMap(({ campaignId, take, skip, backward, from }, n) => {
      if (backward !== isBackward) return []
      const [points, reachedAt, externalId] = from ?? []
      const place = {
        points: points === undefined ? undefined : String(points),
        reached_at: reachedAt,
        external_id: externalId,
      }
      return { n, campaign_id: campaignId, take, skip, ...place }
    })
    if (asked.length === 0) continue
    const name = Prisma.raw(`/* list_participants_${isBackward ? 'backward' : 'forward'} */`)
    const found = await tx.$queryRaw<({ n: number } & CampaignParticipant)[]>`${name}
      SELECT k.n, ${participantColumns}
      FROM json_to_recordset(${JSON.stringify(asked)}::json) AS k (n int, campaign_id uuid, take int,
        skip int, points bigint, reached_at timestamptz, external_id text)
      CROSS JOIN LATERAL (SELECT * FROM campaign_participant p WHERE p.campaign_id = k.campaign_id
        AND ${isBackward ? ahead : behind} LIMIT k.take OFFSET k.skip) p
      ORDER BY k.n, ${
        isBackward
          ? Prisma.sql`p.total_points, p.points_reached_at DESC, p.external_id DESC`
          : Prisma.sql`p.total_points DESC, p.points_reached_at, p.external_id`
      }`
    for (const { n, ...participant } of found) lists[n]?.push(participant)
  }
  return lists
}
