/** The events of a partner in the order in which they were committed, without a gap. */

import { getHorizon } from '../core/db/horizon.ts'
import { TesseraError } from '../core/errors.ts'
import { follow, type Place } from '../core/follow.ts'
import { decodeNodeId } from '../core/node-id.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { isUuid } from '../core/validation.ts'
import { type Event, Prisma } from '../generated/prisma/client.ts'
import { keptMs } from './webhook.jobs.ts'

export type PublishedEvent = Event

/** After which event to go on. */
export type FeedPosition = Place

type Feed = Tenant & {
  after: FeedPosition | null
  /** Only these kinds; null for all. */
  types: string[] | null
  take: number
}

const readEvents = (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { partnerId, environment, after, types, take }: Feed,
  upTo: bigint,
): Promise<PublishedEvent[]> => db.$queryRaw<PublishedEvent[]>`
    SELECT id, partner_id AS "partnerId", environment, type, data, occurred_at AS "occurredAt", txid AS position FROM event
    WHERE partner_id = ${partnerId}::uuid AND environment = ${environment}::"Environment"
      AND txid <= ${upTo}::bigint
      AND occurred_at >= ${new Date(clock().getTime() - keptMs)}::timestamptz
      ${after ? Prisma.sql`AND (txid, id) > (${after.position}::bigint, ${after.id}::uuid)` : Prisma.empty}
      ${types ? Prisma.sql`AND type = ANY (${types}::text[])` : Prisma.empty}
    ORDER BY txid, id LIMIT ${take}::int`

/**
 * The events behind a position, as a `where`. Those of a transaction are shown once no other is under way
 * that began to write events earlier: an event that commits late is never behind a reader who has gone on.
 */
export const publishedEvents = async (
  runtime: Runtime,
  { partnerId, environment, after, types }: Omit<Feed, 'take'>,
): Promise<Prisma.EventWhereInput> => ({
  partnerId,
  environment,
  position: { lte: (await getHorizon(runtime)).settled },
  occurredAt: { gte: new Date(runtime.clock().getTime() - keptMs) },
  ...(types && { type: { in: types } }),
  ...(after && {
    AND: {
      position: { gte: after.position },
      OR: [{ position: { gt: after.position } }, { id: { gt: after.id } }],
    },
  }),
})

/**
 * Where an event stands, by its UUID or global id.
 * @throws TesseraError EVENT_NOT_FOUND, for one of another partner or environment too
 */
export const getFeedPosition = async (
  { db }: Pick<Runtime, 'db'>,
  { partnerId, environment, eventId }: Tenant & { eventId: string },
): Promise<FeedPosition> => {
  const named = decodeNodeId(eventId)
  const id = named?.typename === 'Event' ? named.id : eventId
  const event = isUuid(id)
    ? await db.event.findFirst({
        where: { id, partnerId, environment },
        select: { id: true, position: true },
      })
    : null
  if (!event) throw new TesseraError('EVENT_NOT_FOUND')
  return event
}

/** Reads what events say, by id; null for those that are forgotten. */
export const findEventData = async ({ tx }: Work, ids: string[]): Promise<unknown[]> => {
  const events = await tx.event.findMany({
    where: { id: { in: ids } },
    select: { id: true, data: true },
  })
  const byId = new Map(events.map(({ id, data }) => [id, data]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** Events as they happen, from behind a position (null: from now) until the signal. */
export const followEvents = (
  runtime: Runtime,
  { after, signal, ...feed }: Omit<Feed, 'take'> & { signal: AbortSignal },
): AsyncGenerator<PublishedEvent> =>
  follow(runtime, {
    topic: 'event',
    about: `${feed.partnerId}:${feed.environment}`,
    after,
    read: (after, upTo, take) => readEvents(runtime, { ...feed, after, take }, upTo),
    signal,
  })
