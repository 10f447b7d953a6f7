import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealCursor } from '../../src/core/cursor.ts'
import {
  isNumberCursor,
  isTextCursor,
  type ListArgs,
  listConnection,
  listFaults,
} from '../../src/core/pagination.ts'
import type { MasterKeys } from '../../src/core/seal.ts'
import { runSeed } from '../games/random.ts'

const masterKeys: MasterKeys = [{ version: 1, text: 'k'.repeat(32) }]

/** The words of a list, as a domain reads them. */
const listWords = (words: string[], args: ListArgs) =>
  listConnection({ config: { masterKeys } }, args, {
    list: 'words',
    isCursor: isTextCursor,
    cursorOf: (word: string) => word,
    total: () => words.length,
    fetch: async ({ take, skip, after }) => {
      const rest = after === undefined ? words : words.filter((word) => word > after)
      return rest.slice(skip, skip + take)
    },
  })

const wordsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `w${String(i).padStart(4, '0')}`)

const nodes = ({ edges }: Awaited<ReturnType<typeof listWords>>) => edges.map(({ node }) => node)

describe('a list', () => {
  it('is the same by pages and by cursors, whatever its length and the size of a part', async () => {
    const seed = runSeed()
    const sizes = [fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 })] as const
    await fc.assert(
      fc.asyncProperty(...sizes, async (count, size) => {
        const words = wordsOf(count)
        const byPage: string[] = []
        for (let page = 1; ; page++) {
          const part = await listWords(words, { page, limit: size })
          byPage.push(...nodes(part))
          expect(part.pageInfo.hasPreviousPage).toBe(page > 1)
          if (!part.pageInfo.hasNextPage) break
        }
        const byCursor: string[] = []
        for (let after: string | null = null; ; ) {
          const part = await listWords(words, { first: size, after })
          byCursor.push(...nodes(part))
          expect(part.pageInfo.startCursor).toBe(part.edges[0]?.cursor ?? null)
          after = part.pageInfo.endCursor
          if (!part.pageInfo.hasNextPage) break
        }
        expect(byPage).toEqual(words)
        expect(byCursor).toEqual(words)
      }),
      { seed },
    )
  })

  it('has 20 items on its first page when nothing is asked, and never more than 100', async () => {
    const words = wordsOf(150)
    expect(await listWords(words, {})).toMatchObject({ page: 1, limit: 20 })
    expect(nodes(await listWords(words, {}))).toEqual(words.slice(0, 20))
    expect(await listWords(words, { limit: 101 })).toMatchObject({ limit: 100 })
    expect(nodes(await listWords(words, { first: 2_000_000_000 }))).toEqual(words.slice(0, 100))
  })
})

describe('arguments', () => {
  const refused = async (args: ListArgs) => {
    const error = await listWords(wordsOf(3), args).catch((error) => error)
    expect(error).toMatchObject({ code: 'INVALID_PARAMETERS', status: 400 })
    return error.errors.map(({ field }: { field: string }) => field)
  }

  it('that are out of range or no number are all named', async () => {
    expect(await refused({ page: 0, limit: Number.NaN })).toEqual(['page', 'limit'])
    expect(await refused({ page: -1, limit: 0 })).toEqual(['page', 'limit'])
    expect(await refused({ first: 0 })).toEqual(['first'])
    expect(listFaults({ page: 2 ** 31, limit: 1 }).map(({ field }) => field)).toEqual(['page'])
    expect(listFaults({ page: 1, limit: 100, first: null })).toEqual([])
  })

  it('cannot mix cursors and pages', async () => {
    expect(await refused({ first: 1, page: 1 })).toEqual(['page'])
    expect(await refused({ after: 'Inci', limit: 1 })).toContain('page')
  })

  it('take no cursor of another list or of nowhere', async () => {
    for (const value of [1, null, ['w'], { a: 1 }, 'half \ud800', 'nul \0'])
      expect(await refused({ after: sealCursor(masterKeys, 'words', value) })).toEqual(['after'])
    expect(await refused({ after: sealCursor(masterKeys, 'names', 'w0001') })).toEqual(['after'])
    const plain = Buffer.from(JSON.stringify('w0001')).toString('base64url')
    expect(await refused({ after: plain })).toEqual(['after'])
    for (const text of ['', '!', 'bm90IGpzb24', '../../etc', '💥'])
      expect(await refused({ after: text })).toEqual(['after'])
  })

  it('take only whole numbers from 1 as cursors of a numbered list', () => {
    const good = [1, 2, 2 ** 31 - 1]
    const bad = [0, -1, 1.5, 2 ** 31, Number.NaN, '1', null, undefined, [1]]
    expect(good.every(isNumberCursor)).toBe(true)
    expect(bad.some(isNumberCursor)).toBe(false)
  })
})
