/** Sums numbers of all workers, so that all of them make the same decision. */
import { setTimeout as sleep } from 'node:timers/promises'
import { allIsRead } from '../draining-server.ts'

/** The timeout for workers that do not answer. */
const longestMs = 3_000

type Round = { given: Map<number, number[]>; over: PromiseWithResolvers<number[]> }

/**
 * Each participating worker gives numbers for a topic, and gets the sums once all have given theirs. A worker that has
 * ended no longer participates.
 * @param takingPart the ids of the workers that participate now
 */
export const createRounds = (takingPart: () => number[]) => {
  const rounds = new Map<string, Round>()
  const end = async (topic: string, { given, over }: Round) => {
    rounds.delete(topic)
    // Connections that this process has yet to accept are passed to a worker before the round ends.
    await allIsRead()
    const [first = [], ...others] = given.values()
    over.resolve(others.reduce((sums, one) => sums.map((sum, i) => sum + (one[i] ?? 0)), first))
  }
  const endComplete = () => {
    for (const [topic, round] of rounds)
      if (takingPart().every((id) => round.given.has(id))) void end(topic, round)
  }
  const open = (topic: string): Round => {
    const round: Round = { given: new Map(), over: Promise.withResolvers() }
    rounds.set(topic, round)
    void sleep(longestMs, undefined, { ref: false }).then(() => {
      if (rounds.get(topic) === round) void end(topic, round)
    })
    return round
  }
  return {
    give: (id: number, topic: string, numbers: number[]): Promise<number[]> => {
      const round = rounds.get(topic) ?? open(topic)
      round.given.set(id, numbers)
      endComplete()
      return round.over.promise
    },
    /** To be called when a worker has ended. */
    leave: endComplete,
  }
}
