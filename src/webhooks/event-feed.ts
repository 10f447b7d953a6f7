/** The events of a partner in commit order, without gaps. */

import type { Event, Prisma } from '../generated/prisma/client.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { decodeNodeId } from '../kit/node-id.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { type Period, within } from '../kit/schema/filters.ts'
import { follow } from '../kit/streams/follow.ts'
import { getHorizon } from '../kit/streams/horizon.sql.ts'
import type { Tenant } from '../kit/tenant.ts'
import { isUuid } from '../kit/validation.ts'
import { type Feed, selectEvents } from './event-feed.sql.ts'

/**
 * The events of a tenant after a position, as a `where`. An event is shown only once no older transaction that writes
 * events is open. So a reader never skips an event that is committed late.
 */
export const publishedEvents = async (
  runtime: Runtime,
  { after, types, period }: Pick<Feed, 'after' | 'types'> & { period?: Period | null | undefined },
): Promise<Prisma.EventWhereInput> => ({
  position: { lte: (await getHorizon(runtime)).settled, ...(after !== null && { gt: after }) },
  ...(types && { type: { in: types } }),
  ...within({ occurredAt: period }),
})

/**
 * The position of an event, by its UUID or global id.
 * @throws TesseraError EVENT_NOT_FOUND, also for an event of another partner or environment
 */
export const getFeedPosition = async (
  { db }: Pick<Runtime, 'db'>,
  { eventId, ...tenant }: Tenant & { eventId: string },
): Promise<bigint> => {
  const named = decodeNodeId(eventId)
  const id = named?.typename === 'Event' ? named.id : eventId
  const event = isUuid(id)
    ? await ofTenant(db, tenant).event.findFirst({ where: { id }, select: { position: true } })
    : null
  if (!event) throw new TesseraError('EVENT_NOT_FOUND')
  return event.position
}

/** Reads the data of events by id. Null for events that are deleted. */
export const findEventData = async ({ tx }: Work, ids: string[]): Promise<unknown[]> => {
  const events = await acrossTenants(tx, 'IDS').event.findMany({
    where: { id: { in: ids } },
    select: { id: true, data: true },
  })
  return inOrder(ids, events).map((event) => event?.data ?? null)
}

/** Events as they happen, after a position (null: from now), until the signal. */
export const followEvents = (
  runtime: Runtime,
  { after, signal, ...feed }: Omit<Feed, 'take'> & { signal: AbortSignal },
): AsyncGenerator<Event> =>
  follow(runtime, {
    topic: 'event',
    about: `${feed.partnerId}:${feed.environment}`,
    after,
    read: (after, upTo, take) => selectEvents(runtime.db, { ...feed, after, upTo, take }),
    signal,
  })
