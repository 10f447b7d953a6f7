import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactly, readConnection } from '../../src/kit/schema/connection.ts'
import { openCursor, sealCursor } from '../../src/kit/schema/cursor.ts'
import type { MasterKeys } from '../../src/kit/security/seal.ts'
import { runSeed } from '../games/random.ts'

const [first, second] = [1, 2].map((version) => ({
  version,
  text: `key ${version} `.repeat(9),
})) as [MasterKeys[0], MasterKeys[0]]
const keys: MasterKeys = [first]
const place = fc.oneof(fc.uuid(), fc.nat(), fc.tuple(fc.nat(), fc.uuid()), fc.string())
const seed = runSeed()

describe('a cursor', () => {
  test('opens to its position, in its own list only', () => {
    fc.assert(
      fc.property(place, fc.string(), fc.string(), (place, list, other) => {
        const cursor = sealCursor(keys, list, place)
        expect(openCursor(keys, list, cursor)).toEqual(place)
        if (other !== list) expect(openCursor(keys, other, cursor)).toBeUndefined()
      }),
      { seed },
    )
  })

  test('is the same text for the same position, and reveals nothing about it', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        const cursor = sealCursor(keys, 'list', a)
        expect(sealCursor(keys, 'list', a)).toBe(cursor)
        expect(cursor).toMatch(/^[\w-]+$/)
        const bytes = Buffer.from(cursor, 'base64url').toString('latin1')
        expect(bytes).not.toContain(a.slice(0, 8))
        // Only the header is the same. Even the same place in another list has another nonce.
        for (const other of [sealCursor(keys, 'list', b), sealCursor(keys, 'other', a)])
          if (a !== b) expect(other.slice(11, 27)).not.toBe(cursor.slice(11, 27))
      }),
      { seed },
    )
  })

  test('that was modified or forged is refused', () => {
    fc.assert(
      fc.property(place, fc.nat(), fc.nat(7), fc.string(), (place, at, bit, text) => {
        const bytes = Buffer.from(sealCursor(keys, 'list', place), 'base64url')
        bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ (1 << bit)
        expect(openCursor(keys, 'list', bytes.toString('base64url'))).toBeUndefined()
        expect(openCursor(keys, 'list', text)).toBeUndefined()
      }),
      { seed },
    )
  })

  test('of an older version of the master key is valid as long as that version is set', () => {
    const cursor = sealCursor([first], 'list', 7)
    expect(openCursor([second, first], 'list', cursor)).toBe(7)
    expect(openCursor([second], 'list', cursor)).toBeUndefined()
    expect(openCursor([first, second], 'list', sealCursor([second, first], 'list', 7))).toBe(7)
  })
})

test('a page creates no cursor that the query does not select', async () => {
  let made = 0
  const page = await readConnection(
    { keys: { master: keys } },
    { first: 100 },
    { list: 'numbers', filter: {} },
    {
      order: 'number',
      placeOf: (n: number) => {
        made++
        return [n]
      },
      count: () => exactly(200),
      fetch: async ({ take }) => Array.from({ length: take }, (_, i) => i),
    },
  )
  expect(page.edges.map(({ node }) => node)).toHaveLength(100)
  expect(made).toBe(0)
  expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor)
  expect(made).toBe(2)
})
