/** Every kind of event that partners can subscribe to. */
import { z } from 'zod'
import '../users/block.events.ts'
import '../points/points.events.ts'
import '../programme/goal.events.ts'
import '../programme/grant.events.ts'
import '../games/play.events.ts'
import '../campaigns/campaign.events.ts'
import '../lotteries/lottery.events.ts'
import '../journeys/journey.events.ts'
import '../arena/developer-games/review.events.ts'
import '../arena/sessions/session.events.ts'
import '../arena/matches/match.events.ts'
import { defineEvent, type EventKind, listEventKinds } from '../kit/streams/events.ts'

export const eventKinds: readonly EventKind[] = listEventKinds()

export const eventTypes: string[] = eventKinds.map(({ type }) => type)

/** Sent to one endpoint only, whatever it subscribes to. */
export const webhookTested = defineEvent('test', {
  description:
    'A test event that you requested. It goes to one endpoint, whatever it subscribes to.',
  data: z.object({ endpointId: z.uuid(), message: z.string() }),
  example: {
    endpointId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c60',
    message: 'This is a test',
  },
})
