/**
 * Counts the requests of API keys, and how many fail. A node counts in memory, and adds the counts to the statistics
 * every ten seconds and when it stops. A node that is killed loses the counts that it has not added.
 */
import type { Caller } from '../kit/access/context.ts'
import { periodically } from '../kit/clock.ts'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import { addRequests, type RequestCount } from './request-count.sql.ts'

const writeEveryMs = 10_000
/** Rows per statement. */
const writtenAtOnce = 1_000
/**
 * The maximum number of counts, one per key and quarter of an hour, that wait for the database. Further requests are
 * not counted.
 */
const maxWaiting = 50_000
const quarterMs = 900_000

type Waiting = { counts: Map<string, RequestCount>; missed: number }

const waitingOf = singleton(
  'requests of api keys',
  (): Waiting => ({ counts: new Map(), missed: 0 }),
)

const add = (waiting: Waiting, name: string, count: RequestCount): void => {
  const { counts } = waiting
  const known = counts.get(name)
  if (known) {
    known.requests += count.requests
    known.errors += count.errors
  } else if (counts.size < maxWaiting) counts.set(name, count)
  else waiting.missed += count.requests
}

/** Counts an answered request of a caller with an API key. */
export const countRequest = (
  runtime: Pick<Runtime, 'clock' | 'singletons'>,
  caller: Caller | null,
  isError: boolean,
): void => {
  if (!caller || caller.kind === 'member') return
  const { partnerId, environment, keyId } = caller
  const quarter = Math.floor(runtime.clock().getTime() / quarterMs)
  const count = { partnerId, environment, keyId, requests: 1, errors: Number(isError) }
  const quarterAt = new Date(quarter * quarterMs)
  add(waitingOf(runtime), `${keyId} ${quarter}`, { ...count, quarterAt })
}

/** Adds the counts to the statistics. Counts that cannot be written are kept. */
export const writeRequestCounts = async (runtime: Runtime): Promise<void> => {
  const waiting = waitingOf(runtime)
  const counted = [...waiting.counts]
  waiting.counts.clear()
  while (counted.length > 0) {
    const part = counted.slice(0, writtenAtOnce)
    try {
      await addRequests(
        runtime.db,
        part.map(([, count]) => count),
      )
    } catch (err) {
      for (const [name, count] of counted) add(waiting, name, count)
      runtime.log.warn({ err }, 'cannot record the requests of API keys')
      break
    }
    counted.splice(0, part.length)
  }
  if (waiting.missed === 0) return
  runtime.log.warn({ missed: waiting.missed }, 'too many API keys to count all of their requests')
  waiting.missed = 0
}

/** Writes the counts every ten seconds. Returns the function that writes the rest and stops. */
export const startRequestCounts = (runtime: Runtime): (() => Promise<void>) =>
  periodically(writeEveryMs, () => writeRequestCounts(runtime))
