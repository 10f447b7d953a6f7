/** Which rows an export has, beside their period and batch. */
import { z } from 'zod'
import { findCampaignBy } from '../campaigns/campaign.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { type ExportKind, GameType } from '../generated/prisma/enums.ts'
import { UserFilter } from '../journeys/user-list.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import { Period, PointsFilter, someEventTypes, someOf } from '../kit/schema/filters.ts'
import type { Tenant } from '../kit/tenant.ts'
import { reference } from '../kit/validation.ts'
import { findUserOf, UserBy } from '../users/end-user.ts'

export const ExportFilter = z
  .object({
    codeBatchId: nodeId('CodeBatch').nullish().describe('The batch; required for CODES alone.'),
    campaignId: nodeId('Campaign')
      .nullish()
      .describe('The campaign; required for INSTANT_WINS alone.'),
    users: UserFilter.nullish().describe(
      'Only users who match; for USERS alone. Days ago are counted from when the export was started.',
    ),
    createdAt: Period.nullish().describe(
      'Only rows of this period: when an entry was posted, a user created, a game played, a code redeemed (or its batch created), a ticket entered, an event happened, a goal completed (in its present round), a prize won, or a grant or an offer made.',
    ),
    user: UserBy.nullish().describe('Only rows of this user, in LEDGER and PLAYS.'),
    eventTypes: someEventTypes().nullish().describe('Only entries of these types, in LEDGER.'),
    reference: reference().nullish().describe('Only entries with this reference, in LEDGER.'),
    points: PointsFilter.nullish().describe(
      'Only entries of so many points, in LEDGER: `{min: 1}` is what users received, `{max: -1}` what they spent.',
    ),
    gameTypes: someOf('GameType', GameType)
      .nullish()
      .describe('Only plays of these games, in PLAYS.'),
  })
  .meta({ graphql: 'ExportRowFilter' })
  .describe('Filters the rows of an export.')

type ExportFilter = z.output<typeof ExportFilter>

/** The kinds that can be filtered by a field. All have a period. */
const kindsOf: Record<Exclude<keyof ExportFilter, 'createdAt'>, readonly ExportKind[]> = {
  codeBatchId: ['CODES'],
  campaignId: ['INSTANT_WINS'],
  users: ['USERS'],
  user: ['LEDGER', 'PLAYS'],
  eventTypes: ['LEDGER'],
  reference: ['LEDGER'],
  points: ['LEDGER'],
  gameTypes: ['PLAYS'],
}

/** Kinds that are too many rows without this field. */
const required: Partial<Record<ExportKind, keyof typeof kindsOf>> = {
  CODES: 'codeBatchId',
  INSTANT_WINS: 'campaignId',
}

/** @throws TesseraError VALIDATION_FAILED for a field of another kind, and without a required one */
export const checkFilter = (kind: ExportKind, filter: ExportFilter | null | undefined): void => {
  const missing = required[kind]
  if (missing && filter?.[missing] == null)
    throw refused(`filter.${missing}`, `is required for ${kind}`)
  for (const field of Object.keys(kindsOf) as (keyof typeof kindsOf)[])
    if (filter?.[field] != null && !kindsOf[field].includes(kind))
      throw refused(`filter.${field}`, `belongs to ${kindsOf[field].join(' and ')}, not to ${kind}`)
}

/** A filter as an export keeps it. It names a user by our id, which says nothing once they are erased. */
export type KeptFilter = {
  userId?: string
  campaignId?: string
  eventTypes?: readonly string[]
  reference?: string
  minPoints?: number
  maxPoints?: number
  gameTypes?: readonly string[]
}

/**
 * A filter as an export keeps it; null if it has only a period, a batch and users, which are columns.
 * @throws TesseraError USER_NOT_FOUND, CAMPAIGN_NOT_FOUND
 */
export const keptFilterOf = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  filter: ExportFilter | null | undefined,
): Promise<KeptFilter | null> => {
  const { user: by, campaignId, eventTypes, reference, points, gameTypes } = filter ?? {}
  const user = by && (await findUserOf(runtime, tenant, by))
  if (by && !user) throw new TesseraError('USER_NOT_FOUND')
  if (campaignId && !(await findCampaignBy(runtime, tenant, { id: campaignId })))
    throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const kept: KeptFilter = {
    ...(user && { userId: user.id }),
    ...(campaignId && { campaignId }),
    ...(eventTypes && { eventTypes }),
    ...(reference != null && { reference }),
    ...(points?.min != null && { minPoints: points.min }),
    ...(points?.max != null && { maxPoints: points.max }),
    ...(gameTypes && { gameTypes }),
  }
  return Object.keys(kept).length === 0 ? null : kept
}

export const filterOf = ({ filter }: Pick<DataExport, 'filter'>): KeptFilter =>
  (filter ?? {}) as KeptFilter

/** Whether an entry of the ledger passes the filter. */
export const isWantedEntry = (
  { eventTypes, reference, minPoints, maxPoints }: KeptFilter,
  entry: { eventType: string; reference: string | null; points: number },
): boolean =>
  (!eventTypes || eventTypes.includes(entry.eventType)) &&
  (reference === undefined || reference === entry.reference) &&
  (minPoints === undefined || entry.points >= minPoints) &&
  (maxPoints === undefined || entry.points <= maxPoints)
