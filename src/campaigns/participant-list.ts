/** Participants by points: parts of the lists of many campaigns in one statement. */
import type { Part } from '../core/graphql/connection.ts'
import type { Work } from '../core/runtime.ts'
import type { ExternalId } from '../core/user-id.ts'
import type { CampaignParticipant } from '../generated/prisma/client.ts'
import { listAhead, listBehind } from './participant.sql.ts'

/** The order of a leaderboard: most points first, then who reached them first, then externalId. */
export const byPoints = 'totalPoints desc, pointsReachedAt asc, externalId asc'

export type ParticipantPart = Part & { campaignId: string }

/** Reads parts of lists. Each part begins with the item closest to the cursor. */
export const listParticipants = async (
  { tx }: Work,
  parts: ParticipantPart[],
): Promise<CampaignParticipant[][]> => {
  const lists: CampaignParticipant[][] = parts.map(() => [])
  for (const isBackward of [false, true]) {
    const asked = parts.flatMap(({ backward, from, ...part }, place) => {
      if (backward !== isBackward) return []
      // A position in the order `byPoints`.
      const [points, reachedAt, externalId] = (from ?? []) as [bigint?, Date?, ExternalId?]
      return { ...part, place, points, reachedAt, externalId }
    })
    if (asked.length === 0) continue
    const found = await (isBackward ? listAhead : listBehind)(tx, asked)
    for (const { n, ...participant } of found) lists[asked[n]?.place ?? -1]?.push(participant)
  }
  return lists
}
