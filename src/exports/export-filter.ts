/** Which rows an export has, beside their period and batch. */
import { z } from 'zod'
import { AuditFilter } from '../accounts/audit-log/audit-log.ts'
import { findCampaignBy } from '../campaigns/campaign.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import {
  type ExportKind,
  GameType,
  GrantStatus,
  RewardKind,
  WebhookDeliveryStatus,
} from '../generated/prisma/enums.ts'
import { UserFilter } from '../journeys/user-list.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import { Period, PointsFilter, someEventTypes, someOf } from '../kit/schema/filters.ts'
import type { Tenant } from '../kit/tenant.ts'
import { flag, reference, text } from '../kit/validation.ts'
import { findUserOf, UserBy } from '../users/end-user.ts'

const someIds = (typename: 'Goal' | 'Reward') =>
  z.array(nodeId(typename)).max(100, 'must have at most 100 values')

/** The period of an export is in its filter. */
const ExportAuditFilter = AuditFilter.omit({ occurredAt: true })
  .meta({ graphql: 'ExportAuditFilter' })
  .describe('Filters an export of the audit log.')

export const ExportFilter = z
  .object({
    codeBatchId: nodeId('CodeBatch').nullish().describe('The batch; required for CODES alone.'),
    isRedeemed: flag().nullish().describe('Only redeemed codes, or only the others, in CODES.'),
    campaignId: nodeId('Campaign')
      .nullish()
      .describe('The campaign; required for INSTANT_WINS alone.'),
    users: UserFilter.nullish().describe(
      'Only users who match; for USERS alone. Days ago are counted from when the export was started.',
    ),
    createdAt: Period.nullish().describe(
      'Only rows of this period: when an entry was posted, a user created, a game played, a code redeemed (or its batch created), a ticket entered, an event happened, a goal completed (in its present round), a prize won, a grant or an offer made, or something done, for the audit log.',
    ),
    user: UserBy.nullish().describe(
      'Only rows of this user, in LEDGER, PLAYS, COMPLETIONS and GRANTS.',
    ),
    eventTypes: someEventTypes().nullish().describe('Only entries of these types, in LEDGER.'),
    reference: reference().nullish().describe('Only entries with this reference, in LEDGER.'),
    points: PointsFilter.nullish().describe(
      'Only entries of so many points, in LEDGER: `{min: 1}` is what users received, `{max: -1}` what they spent.',
    ),
    gameTypes: someOf('GameType', GameType)
      .nullish()
      .describe('Only plays of these games, in PLAYS.'),
    goalIds: someIds('Goal')
      .nullish()
      .describe('Only completions of these goals, and grants for them, at most 100.'),
    isRevoked: flag()
      .nullish()
      .describe('Only completions that a reversal took back, or only those that count.'),
    grantStatuses: someOf('GrantStatus', GrantStatus)
      .nullish()
      .describe('Only grants of these statuses.'),
    rewardIds: someIds('Reward').nullish().describe('Only grants of these rewards, at most 100.'),
    rewardKinds: someOf('RewardKind', RewardKind)
      .nullish()
      .describe('Only grants of rewards of these kinds.'),
    eventNames: z
      .array(text(255))
      .max(50, 'must have at most 50 values')
      .nullish()
      .describe('Only events, or deliveries of events, of these names, at most 50.'),
    webhookEndpointId: nodeId('WebhookEndpoint')
      .nullish()
      .describe('Only deliveries to this endpoint.'),
    deliveryStatuses: someOf('WebhookDeliveryStatus', WebhookDeliveryStatus)
      .nullish()
      .describe('Only deliveries of these statuses.'),
    auditLog: ExportAuditFilter.nullish().describe('Which entries, in AUDIT_LOG alone.'),
  })
  .meta({ graphql: 'ExportRowFilter' })
  .describe('Filters the rows of an export.')

type ExportFilter = z.output<typeof ExportFilter>

/** The kinds that can be filtered by a field. All have a period. */
const kindsOf: Record<Exclude<keyof ExportFilter, 'createdAt'>, readonly ExportKind[]> = {
  codeBatchId: ['CODES'],
  isRedeemed: ['CODES'],
  campaignId: ['INSTANT_WINS'],
  users: ['USERS'],
  user: ['LEDGER', 'PLAYS', 'COMPLETIONS', 'GRANTS'],
  eventTypes: ['LEDGER'],
  reference: ['LEDGER'],
  points: ['LEDGER'],
  gameTypes: ['PLAYS'],
  goalIds: ['COMPLETIONS', 'GRANTS'],
  isRevoked: ['COMPLETIONS'],
  grantStatuses: ['GRANTS'],
  rewardIds: ['GRANTS'],
  rewardKinds: ['GRANTS'],
  eventNames: ['EVENTS', 'DELIVERIES'],
  webhookEndpointId: ['DELIVERIES'],
  deliveryStatuses: ['DELIVERIES'],
  auditLog: ['AUDIT_LOG'],
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

type FieldOfRows = Exclude<
  keyof ExportFilter,
  'codeBatchId' | 'users' | 'createdAt' | 'user' | 'points'
>

/** A filter as an export keeps it. It names a user by our id, which says nothing once they are erased. */
export type SavedExportFilter = { userId?: string; minPoints?: number; maxPoints?: number } & {
  [K in FieldOfRows]?: NonNullable<ExportFilter[K]>
}

/** The fields that have a value. */
const given = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never

/**
 * A filter as an export keeps it; null if it has only a period, a batch and users, which are columns.
 * @throws TesseraError USER_NOT_FOUND, CAMPAIGN_NOT_FOUND
 */
export const savedExportFilterOf = async (
  runtime: Pick<Runtime, 'read'>,
  tenant: Tenant,
  filter: ExportFilter | null | undefined,
): Promise<SavedExportFilter | null> => {
  const { codeBatchId: _, users: __, createdAt: ___, user: by, points, ...others } = filter ?? {}
  const user = by && (await findUserOf(runtime, tenant, by))
  if (by && !user) throw new TesseraError('USER_NOT_FOUND')
  const { campaignId: id } = others
  if (id && !(await findCampaignBy(runtime, tenant, { id })))
    throw new TesseraError('CAMPAIGN_NOT_FOUND')
  const kept: SavedExportFilter = given({
    ...others,
    userId: user?.id,
    minPoints: points?.min,
    maxPoints: points?.max,
  })
  return Object.keys(kept).length === 0 ? null : kept
}

export const filterOf = ({ filter }: Pick<DataExport, 'filter'>): SavedExportFilter =>
  (filter ?? {}) as SavedExportFilter

/** Whether a value is one of a list. All are if the filter has no list. */
export const isAmong = <T>(values: readonly T[] | undefined, value: NoInfer<T> | null): boolean =>
  !values || (value !== null && values.includes(value))

/** Whether an entry of the ledger passes the filter. */
export const isWantedEntry = (
  { eventTypes, reference, minPoints, maxPoints }: SavedExportFilter,
  entry: { eventType: string; reference: string | null; points: number },
): boolean =>
  isAmong(eventTypes, entry.eventType) &&
  (reference === undefined || reference === entry.reference) &&
  (minPoints === undefined || entry.points >= minPoints) &&
  (maxPoints === undefined || entry.points <= maxPoints)

/** Whether the name of an event is one of some names, groups such as `arena.*`, or `*`. */
export const isOfNames = (names: readonly string[] | undefined, type: string): boolean =>
  !names ||
  names.some((name) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name))
