import { describe, expect, it } from 'vitest'
import { retrying } from '../../src/kit/database/db.ts'
import { asSingleAttempt, noteWrite } from '../../src/kit/database/outage.ts'
import { TesseraError } from '../../src/kit/errors.ts'
import { settle } from '../../src/kit/group-commit/batch.ts'
import { coalesce } from '../../src/kit/group-commit/coalesce.ts'

/** An error as the database driver throws it, with the SQLSTATE where `sqlState` finds it. */
const refusal = (originalCode: string) =>
  Object.assign(new Error(`refused with ${originalCode}`), { cause: { originalCode } })

/** A batch function that records its batches and finishes one only when the test tells it to. */
const recorder = () => {
  const batches: number[][] = []
  const open: (() => void)[] = []
  const run = async (items: number[]) => {
    batches.push(items)
    await new Promise<void>((resolve) => open.push(resolve))
    return items.map((item) => item * 2)
  }
  return { batches, run, finish: () => open.shift()?.() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('group commit', () => {
  it('runs all calls of one turn in one batch, and those that arrive during it in the next', async () => {
    const { batches, run, finish } = recorder()
    const call = coalesce(run)
    const first = numbers(3).map(call)
    await turn()
    await turn()
    const second = [10, 11].map(call)
    await turn()
    const third = [20].map(call)
    await turn()
    expect(batches).toEqual([[0, 1, 2]])
    finish()
    expect(await Promise.all(first)).toEqual([0, 2, 4])
    await turn()
    expect(batches).toEqual([
      [0, 1, 2],
      [10, 11, 20],
    ])
    finish()
    expect(await Promise.all([...second, ...third])).toEqual([20, 22, 40])
  })

  it('keeps the order of the calls, in batches of at most maxBatch, one at a time', async () => {
    const seen: number[] = []
    let underWay = 0
    const call = coalesce(
      async (items: number[]) => {
        expect(items.length).toBeLessThanOrEqual(7)
        expect(++underWay).toBe(1)
        await turn()
        underWay--
        seen.push(...items)
        return items
      },
      { maxBatch: 7 },
    )
    expect(await Promise.all(numbers(100).map(call))).toEqual(numbers(100))
    expect(seen).toEqual(numbers(100))
  })

  // Lists of keys are items: without their sizes, a batch could have 256 times as many keys.
  it('counts an item by its size, and runs one that is too large alone', async () => {
    const batches: number[][] = []
    const run = async (items: number[]) => {
      batches.push(items)
      return items
    }
    const call = coalesce(run, { maxBatch: 10, sizeOf: (item) => item })
    await Promise.all([6, 4, 1, 25, 3, 3, 5].map(call))
    expect(batches).toEqual([[6, 4], [1], [25], [3, 3], [5]])
  })

  it('runs as many batches at a time as maxInFlight allows', async () => {
    const { batches, run, finish } = recorder()
    const call = coalesce(run, { maxInFlight: 2 })
    const calls = []
    for (const item of numbers(4)) {
      calls.push(call(item))
      await turn()
      await turn()
    }
    expect(batches).toEqual([[0], [1]])
    for (const _ of numbers(3)) {
      finish()
      await turn()
    }
    expect(await Promise.all(calls)).toEqual([0, 2, 4, 6])
    expect(batches).toEqual([[0], [1], [2, 3]])
  })
})

describe('errors', () => {
  it('an error of one item affects only that item', async () => {
    const call = coalesce(async (items: number[]) =>
      items.map((item) => (item === 2 ? new TesseraError('OVERLOADED') : item)),
    )
    const results = await Promise.allSettled(numbers(4).map(call))
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true])
    expect(results[2]).toMatchObject({ reason: { code: 'OVERLOADED' } })
  })

  // Without the halving, all 100 callers would get the error of one.
  it('an item that the database refuses fails alone, and the others are written once', async () => {
    const done: number[] = []
    const call = coalesce(async (items: number[]) => {
      if (items.some((item) => item === 37 || item === 38)) throw refusal('22003')
      done.push(...items)
      return items
    })
    const results = await Promise.allSettled(numbers(100).map(call))
    const failed = numbers(100).filter((i) => results[i]?.status === 'rejected')
    expect(failed).toEqual([37, 38])
    expect(done).toEqual(numbers(100).filter((n) => n !== 37 && n !== 38))
  })

  // Without the test for an SQLSTATE, a write whose answer was lost would be written twice.
  it('all callers of a batch with an unknown outcome get that error, and nothing is retried', async () => {
    let runs = 0
    const call = coalesce(async (items: number[]) => {
      runs++
      if (items.includes(0)) throw new Error('Connection terminated unexpectedly')
      return items
    })
    const results = await Promise.allSettled(numbers(10).map(call))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(runs).toBe(1)
    expect(await call(5)).toBe(5)
  })

  // PostgreSQL sends 57P01 to a connection that it closes: that is an unknown outcome, too.
  it.each(['57P01', '08006'])(
    'a batch that fails with %s, because the database is shutting down, is not retried',
    async (state) => {
      let runs = 0
      const call = coalesce(async (): Promise<number[]> => {
        runs++
        throw refusal(state)
      })
      const results = await Promise.allSettled(numbers(8).map(call))
      expect(results.every(({ status }) => status === 'rejected')).toBe(true)
      expect(runs).toBe(1)
    },
  )
})

describe('items at fault', () => {
  /** Writes the numbers below `size`. The database refuses a batch with a number of `faults`. */
  const write = async (size: number, faults: number[], state: string) => {
    let runs = 0
    const written: number[] = []
    const refused: number[] = []
    const run = async (items: number[]) => {
      runs++
      if (items.some((item) => faults.includes(item))) throw refusal(state)
      written.push(...items)
      return items
    }
    const batch = numbers(size).map((item) => ({
      item,
      span: undefined,
      resolve: () => {},
      reject: () => void refused.push(item),
    }))
    const { answer } = await settle(run, batch, retrying)
    answer()
    expect(refused).toEqual(faults)
    expect(written).toEqual(numbers(size).filter((item) => !faults.includes(item)))
    return runs
  }

  // The attempts of each part would make it 53.
  it('one in 256 costs 17 runs, and 25 if its error is retried', async () => {
    for (const fault of [0, 100, 255]) {
      expect(await write(256, [fault], '22003')).toBe(17)
      expect(await write(256, [fault], '23505')).toBe(25)
    }
  })

  it.each([1, 2, 7, 100, 255, 256])('%i in 256 cost no more runs than promised', async (k) => {
    const faults = numbers(k).map((i) => Math.floor((i * 256) / k))
    for (const [state, attempts] of [
      ['22003', 1],
      ['23505', 5],
    ] as const) {
      const halvings = Math.min(k * 2 * Math.log2(256), 2 * 256 - 2)
      const runs = await write(256, faults, state)
      expect(runs).toBeLessThanOrEqual(attempts + halvings + k * (attempts - 1))
    }
  })
})

// Otherwise, what the first part wrote would be written twice.
it('a batch that is refused after a part of it was written is not run again, and says so', async () => {
  let runs = 0
  const call = coalesce(
    () =>
      asSingleAttempt(async (): Promise<number[]> => {
        runs++
        noteWrite()
        throw refusal('23505')
      }),
    { retry: retrying },
  )
  const results = await Promise.allSettled(numbers(4).map(call))
  for (const result of results) expect(result).toMatchObject({ reason: { outcome: 'unknown' } })
  expect(runs).toBe(1)
})

// Without the bound, a database that hangs would fill the memory with waiting requests.
it('refuses calls beyond maxQueue at once with OVERLOADED, and accepts calls again later', async () => {
  const { batches, run, finish } = recorder()
  const call = coalesce(run, { maxQueue: 3 })
  const running = call(0)
  await turn()
  await turn()
  const waiting = [1, 2, 3].map(call)
  await expect(call(4)).rejects.toMatchObject({ code: 'OVERLOADED', status: 503, retryAfter: 1 })
  finish()
  expect(await running).toBe(0)
  await turn()
  finish()
  expect(await Promise.all(waiting)).toEqual([2, 4, 6])
  const later = call(5)
  await turn()
  await turn()
  finish()
  expect(await later).toBe(10)
  expect(batches).toEqual([[0], [1, 2, 3], [5]])
})
