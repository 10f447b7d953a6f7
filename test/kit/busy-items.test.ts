/**
 * Items of group commit whose rows are locked, against random locks that come and go. Neighbours that were looked for:
 * wallets and places, batches and single writes, unknown outcomes, long waits and long lanes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Outage } from '../../src/kit/database/outage.ts'
import { coalesce } from '../../src/kit/group-commit/coalesce.ts'

type Item = { id: number; wallets: string[]; place: string }

const lockTimeout = () =>
  new Outage('nothing done', 'canceling statement due to lock timeout', { code: '55P03' })

/** A database in which names can be locked. A batch that needs a locked name writes nothing. */
const createRows = () => {
  const locked = new Set<string>()
  const written: Item[] = []
  let inFlight = 0
  let mostInFlight = 0
  const run = async (items: Item[]) => {
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    await sleep(0)
    inFlight--
    if (items.some(({ wallets, place }) => [...wallets, place].some((name) => locked.has(name))))
      throw lockTimeout()
    written.push(...items)
    return items.map(({ id }) => id)
  }
  const busy = {
    needsOf: ({ wallets, place }: Item) => ({ wallets, place }),
    findLocked: async (items: Item[]) =>
      items.map(({ wallets }) => wallets.some((name) => locked.has(name))),
    longestMs: Number.POSITIVE_INFINITY,
  }
  return { locked, written, run, busy, mostInFlight: () => mostInFlight }
}

const wallet = fc.constantFrom('ann', 'ben', 'carl', 'dora', 'emil')
const place = fc.constantFrom('spring', 'summer', 'none')
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ call: fc.uniqueArray(wallet, { maxLength: 2 }), place }) },
  { weight: 2, arbitrary: fc.record({ lock: fc.oneof(wallet, place) }) },
  { weight: 2, arbitrary: fc.record({ release: fc.oneof(wallet, place) }) },
  { weight: 2, arbitrary: fc.record({ wait: fc.nat(3) }) },
)

describe('items behind locks', () => {
  it('are written once each, those of a wallet in the order of their calls, under random locks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const rows = createRows()
        const call = coalesce(rows.run, { busy: rows.busy, maxBatch: 8 })
        const calls: Promise<number>[] = []
        const requested: Item[] = []
        for (const step of steps) {
          if ('lock' in step) rows.locked.add(step.lock)
          else if ('release' in step) rows.locked.delete(step.release)
          else if ('wait' in step) await sleep(step.wait)
          else {
            const item = { id: calls.length, wallets: step.call, place: step.place }
            requested.push(item)
            calls.push(call(item))
          }
        }
        rows.locked.clear()
        expect(await Promise.all(calls)).toEqual(requested.map(({ id }) => id))
        expect(rows.written.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
          requested.map(({ id }) => id),
        )
        for (const name of ['ann', 'ben', 'carl', 'dora', 'emil']) {
          const ids = rows.written
            .filter(({ wallets }) => wallets.includes(name))
            .map(({ id }) => id)
          expect(ids).toEqual(ids.toSorted((a, b) => a - b))
        }
        // One batch of those who need no locked row, and one of those who do.
        expect(rows.mostInFlight()).toBeLessThanOrEqual(2)
        expect(call.busy()).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    { what: 'wallet', locked: 'ann', others: { wallets: ['ben'], place: 'spring' } },
    { what: 'place', locked: 'spring', others: { wallets: ['ben'], place: 'summer' } },
  ])('a locked $what delays only those who need it', async ({ locked, others }) => {
    const rows = createRows()
    const call = coalesce(rows.run, { busy: rows.busy })
    rows.locked.add(locked)
    let isAnswered = false
    const waiting = [0, 1].map((id) => call({ id, wallets: ['ann'], place: 'spring' }))
    void waiting[0]?.then(() => {
      isAnswered = true
    })
    for (let id = 2; id < 20; id++) expect(await call({ id, ...others })).toBe(id)
    expect([isAnswered, call.busy()]).toEqual([false, 2])
    rows.locked.clear()
    expect(await Promise.all(waiting)).toEqual([0, 1])
  })

  it('an item whose own write met a lock is tried again, and those already written are not', async () => {
    let isLocked = true
    const written: number[] = []
    const call = coalesce(
      async (ids: number[]) =>
        ids.map((id) => {
          if (id === 1 && isLocked) return lockTimeout()
          written.push(id)
          return id
        }),
      {
        busy: {
          ...createRows().busy,
          needsOf: (id: number) => ({ wallets: [String(id)], place: '' }),
        } as never,
      },
    )
    const calls = [0, 1, 2].map((id) => call(id))
    expect([await calls[0], await calls[2]]).toEqual([0, 2])
    isLocked = false
    expect(await calls[1]).toBe(1)
    expect(written).toEqual([0, 2, 1])
  })

  it('nothing is tried again after an unknown outcome', async () => {
    let runs = 0
    const rows = createRows()
    const call = coalesce(
      async (): Promise<number[]> => {
        runs++
        throw new Outage('unknown', 'lock timeout after a write', { code: '55P03' })
      },
      { busy: rows.busy },
    )
    await expect(call({ id: 0, wallets: ['ann'], place: '' })).rejects.toThrow('after a write')
    expect([runs, call.busy()]).toEqual([1, 0])
  })

  it('gives up after the longest wait, and nothing is written', async () => {
    const rows = createRows()
    rows.locked.add('ann')
    const call = coalesce(rows.run, { busy: { ...rows.busy, longestMs: 1 } })
    await expect(call({ id: 0, wallets: ['ann'], place: '' })).rejects.toMatchObject({
      outcome: 'nothing done',
    })
    expect([rows.written, call.busy()]).toEqual([[], 0])
  })

  it('refuses callers of a wallet for which 500 wait already, and nobody else', async () => {
    const rows = createRows()
    rows.locked.add('ann')
    let refused = 0
    const call = coalesce(rows.run, { busy: rows.busy, onRefused: () => void refused++ })
    const ofAnn = (id: number) => call({ id, wallets: ['ann'], place: '' })
    const first = ofAnn(0)
    await expect.poll(call.busy).toBe(1)
    const more = Array.from({ length: 499 }, (_, i) => ofAnn(i + 1))
    await expect(ofAnn(500)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 })
    expect(await call({ id: 501, wallets: ['ben'], place: '' })).toBe(501)
    expect(refused).toBe(1)
    rows.locked.clear()
    expect(await Promise.all([first, ...more])).toHaveLength(500)
  })
})
