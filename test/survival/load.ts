/** Callers who award, read and query all the time, at several nodes, and record the answers. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Keys, World } from '../world.ts'

type Node = Pick<World, 'post' | 'get' | 'graphql'>

/** Pauses of a caller, so that a test leaves the machine something. */
const pauseMs = 5

export const startLoad = (nodes: Node[], keys: Keys, callers = 8) => {
  /** Ids of the ledger entries that were acknowledged. */
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  /** Answers other than 200, as they were. */
  const others = new Set<string>()
  let isRunning = true

  const note = ({ status, text }: { status: number; text: string }) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status !== 200) others.add(`${status} ${text}`)
  }
  const callOnce = async ({ post, get, graphql }: Node) => {
    const userId = `user-${randomUUID()}`
    const award = { userId, eventType: 'purchase', reference: randomUUID() }
    const awarded = await post('/v1/points/award', keys.secret, award)
    note(awarded)
    if (awarded.status === 200) acknowledged.push(awarded.body.data.ledgerId)
    note(await get('/v1/leaderboard', keys.public))
    const { status, text, body } = await graphql('{ games { name } }', {}, keys)
    const code = body?.errors?.[0].extensions.code
    note({ status: code ? (code === 'UNAVAILABLE' ? 503 : 500) : status, text })
  }
  const callOn = async (node: Node) => {
    while (isRunning) {
      await callOnce(node)
      await sleep(pauseMs)
    }
  }
  const calling = Array.from({ length: callers }, (_, i) => callOn(nodes[i % nodes.length] as Node))
  return {
    acknowledged,
    others,
    /** How often each status was answered. */
    statuses: () => Object.fromEntries(statuses),
    /** Waits until `count` more awards have been acknowledged. */
    more: async (count: number) => {
      for (const goal = acknowledged.length + count; acknowledged.length < goal; ) await sleep(10)
    },
    stop: async () => {
      isRunning = false
      await Promise.all(calling)
    },
  }
}
