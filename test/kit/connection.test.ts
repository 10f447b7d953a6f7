import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Connection,
  exactly,
  ranked,
  readConnection,
  type Source,
} from '../../src/kit/schema/connection.ts'
import { type ListArgs, offsetCursor, sealCursor } from '../../src/kit/schema/cursor.ts'
import { numbered } from '../../src/kit/schema/numbered.ts'
import type { MasterKeys } from '../../src/kit/security/seal.ts'
import { runSeed } from '../games/random.ts'

const masterKeys: MasterKeys = [{ version: 1, text: 'k'.repeat(32) }]
const ctx = { keys: { master: masterKeys } }

/** Words in alphabetical order, as a domain reads them. */
const wordsOf = (words: string[]): Source<string> => ({
  order: 'word asc',
  placeOf: (word) => [word],
  count: () => exactly(words.length),
  fetch: async ({ take, skip, backward, from }) => {
    const place = from?.[0] ?? undefined
    const side =
      place === undefined
        ? words
        : words.filter((word) => word !== place && word < place === backward)
    return (backward ? side.toReversed() : side).slice(skip, skip + take)
  },
})

type Numbered = { no: number }
const numbersOf = (count: number) =>
  numbered('no', {
    last: count,
    read: async ({ from, to }) =>
      Array.from(
        { length: Math.min(to, count) - from + 1 },
        (_, i): Numbered => ({ no: from + i }),
      ),
  })

const rankedWords = (words: string[]) =>
  ranked(wordsOf(words), {
    total: async () => words.length,
    entry: (word, rank) => ({ word, rank }),
    rowOf: ({ word }) => word,
  })

const someWords = (count: number) =>
  Array.from({ length: count }, (_, i) => `w${String(i).padStart(4, '0')}`)

const read = <N>(source: Source<N>, args: ListArgs, list = 'words', filter: object = {}) =>
  readConnection(ctx, args, { list, filter }, source)

const nodesOf = <N>({ edges }: Connection<N>) => edges.map(({ node }) => node)

/** Pages through a list and checks both sides of each page; returns the items in order. */
const walk = async <N>(sourceOf: () => Source<N>, size: number, isBackward: boolean) => {
  let all: N[] = []
  for (let cursor: string | null = null; ; ) {
    const source = sourceOf()
    const part: Connection<N> = await read(
      source,
      isBackward ? { last: size, before: cursor } : { first: size, after: cursor },
    )
    all = isBackward ? [...nodesOf(part), ...all] : [...all, ...nodesOf(part)]
    const { startCursor, endCursor } = part.pageInfo
    expect(startCursor).toBe(part.edges[0]?.cursor ?? null)
    const more = await (isBackward ? part.pageInfo.hasPreviousPage : part.pageInfo.hasNextPage)
    const left = await (isBackward ? part.pageInfo.hasNextPage : part.pageInfo.hasPreviousPage)
    expect(left).toBe(cursor !== null)
    cursor = isBackward ? startCursor : endCursor
    if (!more) return all
  }
}

const sizes = [fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 })] as const
const seed = runSeed()

describe('a list', () => {
  it.each([
    ['by keyset', (count: number) => wordsOf(someWords(count))],
    ['that is numbered', numbersOf],
    ['that is ranked', (count: number) => rankedWords(someWords(count))],
  ] as [string, (count: number) => Source<unknown>][])(
    '%s is the same forward, backward and by offsets',
    async (_, sourceOf) => {
      await fc.assert(
        fc.asyncProperty(...sizes, async (count, size) => {
          const source = sourceOf(count)
          const part = { take: 100, skip: 0, backward: false, from: undefined }
          const all = await source.fetch(part)
          expect(all).toHaveLength(count)
          expect(await walk(() => source, size, false)).toEqual(all)
          expect(await walk(() => source, size, true)).toEqual(all)
          for (let n = 0; n <= count; n += size) {
            const page = await read(source, { first: size, after: offsetCursor(masterKeys, n) })
            expect(nodesOf(page)).toEqual(all.slice(n, n + size))
            expect(await page.pageInfo.hasPreviousPage).toBe(n > 0)
            expect(await page.pageInfo.hasNextPage).toBe(n + size < count)
            if (n === 0) continue
            const before = await read(source, { last: size, before: offsetCursor(masterKeys, n) })
            expect(nodesOf(before)).toEqual(all.slice(Math.max(0, n - 1 - size), n - 1))
            expect(await before.pageInfo.hasPreviousPage).toBe(n - 1 - size > 0)
            expect(await before.pageInfo.hasNextPage).toBe(true)
          }
        }),
        { seed, numRuns: 60 },
      )
    },
  )

  it('shows the existing rows, whatever is added in between', async () => {
    const before = someWords(30)
    for (const isBackward of [false, true]) {
      let words = before
      const grown = () => {
        words = [...words, `w${String(words.length * 37).padStart(4, '0')}x`].sort()
        return wordsOf(words)
      }
      const seen = await walk(grown, 4, isBackward)
      expect(seen).toEqual([...new Set(seen)].sort())
      expect(seen.filter((word) => !word.endsWith('x'))).toEqual(before)
    }
  })

  it('with nothing after a cursor says on which side there are rows', async () => {
    const { edges } = await read(wordsOf(['a', 'b']), { first: 2 })
    const [a, b] = edges.map(({ cursor }) => cursor)
    const behind = await read(wordsOf(['a', 'b']), { first: 2, after: b })
    expect([nodesOf(behind), await behind.pageInfo.hasPreviousPage]).toEqual([[], true])
    const ahead = await read(wordsOf(['a', 'b']), { last: 2, before: a })
    expect([nodesOf(ahead), await ahead.pageInfo.hasNextPage]).toEqual([[], true])
    const gone = await read(wordsOf([]), { first: 2, after: b })
    expect([nodesOf(gone), await gone.pageInfo.hasPreviousPage]).toEqual([[], false])
  })

  it('has 20 items by default, and reads no more rows than necessary', async () => {
    const words = someWords(150)
    expect(nodesOf(await read(wordsOf(words), {}))).toEqual(words.slice(0, 20))
    const { edges } = await read(wordsOf(words), { first: 100 })
    const before = edges[50]?.cursor
    expect(nodesOf(await read(wordsOf(words), { before }))).toEqual(words.slice(30, 50))
    const far = await read(wordsOf(words), { first: 5, after: offsetCursor(masterKeys, 2 ** 40) })
    expect([nodesOf(far), await far.pageInfo.hasPreviousPage]).toEqual([[], true])
  })

  it('that is ranked counts from the top again when its reader gets there', async () => {
    const { edges } = await read(rankedWords(['b', 'c', 'd']), { first: 3 })
    const before = edges[2]?.cursor
    const grown = rankedWords(['a', 'aa', 'ab', 'b', 'c', 'd'])
    const part = nodesOf(await read(grown, { last: 10, before }))
    expect(part.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5])
    const near = nodesOf(await read(grown, { last: 2, before }))
    expect(near.every(({ rank }) => rank > 0)).toBe(true)
  })
})

describe('arguments', () => {
  const refused = async (args: ListArgs, source = wordsOf(someWords(3))) => {
    const error = await read(source, args).catch((error) => error)
    expect(error).toMatchObject({ code: 'INVALID_PARAMETERS', status: 400 })
    return error.errors as { field: string; message: string }[]
  }

  it('that are out of range or go in both directions are all named', async () => {
    for (const first of [0, -1, 101, 10_000, -(2 ** 31)])
      expect(await refused({ first })).toEqual([
        { field: 'first', code: 'invalid', message: 'first must be 1 to 100' },
      ])
    expect((await refused({ first: 0, last: 101 })).map(({ field }) => field)).toEqual([
      'first',
      'last',
      'last',
    ])
    for (const args of [
      { first: 1, last: 1 },
      { first: 1, before: 'x' },
      { last: 1, after: 'x' },
    ])
      expect((await refused(args))[0]?.message).toMatch(/go forward, .* go backward/)
  })

  it('accept no cursor of another list, order or filter, and no forged one', async () => {
    const { edges } = await read(wordsOf(someWords(3)), { first: 1 }, 'words', { long: true })
    const after = edges[0]?.cursor as string
    const faultOf = async (list: string, filter: object, order = 'word asc') => {
      const source = { ...wordsOf(someWords(3)), order }
      const error = await read(source, { after }, list, filter).catch((error) => error)
      return error.errors?.[0].message
    }
    expect(await faultOf('words', { long: true, short: null })).toBeUndefined()
    expect(await faultOf('names', { long: true })).toBe('after is not a cursor of this list')
    expect(await faultOf('words', { long: false })).toMatch(/another filter/)
    expect(await faultOf('words', { long: true }, 'word desc')).toMatch(/another order/)
    const plain = Buffer.from(JSON.stringify(['word asc', 'w0001'])).toString('base64url')
    const other = sealCursor(masterKeys, 'offsets', 1)
    for (const text of ['', '!', plain, other, '../../etc', '💥'])
      expect((await refused({ after: text }))[0]?.message).toBe(
        'after is not a cursor of this list',
      )
    expect((await refused({ before: '!' }))[0]?.field).toBe('before')
  })
})
