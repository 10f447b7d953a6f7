/** The ways to read the feed of events: by id over REST, by cursor over GraphQL, and live. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { untilListening } from '../listeners.ts'
import type { Answer, World } from '../world.ts'

type Answered = Promise<Pick<Answer, 'status' | 'text' | 'body'>>
/** A world, or a client of a router in front of several. */
type At = {
  base: string
  get(path: string, key: string): Answered
  graphql(query: string, variables: Record<string, unknown>, by: { secret: string }): Answered
}
type Writer = { post(path: string, key: string, body: unknown): Answered }

/** Awards `times` times, by a few callers at once; returns the ids of the events. */
export const award = async (world: Writer, secret: string, times: number) => {
  const ids: string[] = []
  const item = async (user: number) => {
    for (let i = user; i < times; i += 3) {
      const input = { userId: `user-${user}`, eventType: 'purchase' }
      const { body } = await world.post('/v1/points/award', secret, input)
      ids.push(body.data.ledgerId)
    }
  }
  await Promise.all([0, 1, 2].map(item))
  return ids
}

/** All events behind one, page by page, as a partner reads them over REST. */
export const readOn = async (world: At, secret: string, after?: string): Promise<string[]> => {
  const seen: string[] = []
  for (;;) {
    const from = seen.at(-1) ?? after
    const page = await world.get(`/v1/events?limit=7${from ? `&after=${from}` : ''}`, secret)
    if (page.status !== 200) throw new Error(page.text)
    if (page.body.data.length === 0) return seen
    seen.push(...page.body.data.map(({ id }: { id: string }) => id))
  }
}

/** Events behind a cursor, and the cursor of the last. */
export const readCursor = async (world: At, secret: string, after: string | null, first = 100) => {
  const query = `query ($first: Int!, $after: String) {
    events(first: $first, after: $after) { edges { cursor node { uuid } } } }`
  const { body, text } = await world.graphql(query, { first, after }, { secret })
  if (body.errors) throw new Error(text)
  const edges: { cursor: string; node: { uuid: string } }[] = body.data.events.edges
  return { ids: edges.map(({ node }) => node.uuid), cursor: edges.at(-1)?.cursor ?? after }
}

/** A live reader: the events that it has seen and when, until `end`. */
export const watch = async (world: World, secret: string, since?: string) => {
  const seen: { id: string; at: number }[] = []
  const listening = untilListening(world, 'event')
  const client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Secret': secret },
  })
  client.subscribe<{ eventPublished: { uuid: string } }>(
    {
      query: 'subscription ($since: ID) { eventPublished(afterEventId: $since) { uuid } }',
      variables: { since },
    },
    {
      next: ({ data }) => {
        if (data) seen.push({ id: data.eventPublished.uuid, at: Date.now() })
      },
      error: () => {},
      complete: () => {},
    },
  )
  await listening
  return {
    seen,
    ids: () => seen.map(({ id }) => id),
    until: async (count: number, timeoutMs = 10_000) => {
      for (const end = Date.now() + timeoutMs; seen.length < count && Date.now() < end; )
        await sleep(10)
    },
    end: () => client.dispose(),
  }
}
