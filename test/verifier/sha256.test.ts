import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chanceOf } from '../../packages/verifier/chance.ts'
import { fromHex, hmacSha256, sha256, toHex } from '../../packages/verifier/sha256.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('a hash is that of SHA-256, for parts of any length and text of any kind', () => {
  for (let length = 0; length <= 130; length++) {
    const zeros = new Uint8Array(length)
    expect(toHex(sha256(zeros))).toBe(createHash('sha256').update(zeros).digest('hex'))
  }
  fc.assert(
    fc.property(bytes, fc.string({ unit: 'grapheme' }), (data, text) => {
      const expected = createHash('sha256').update(data).update(text).digest('hex')
      expect(toHex(sha256(data, text))).toBe(expected)
    }),
  )
})

test('a keyed hash is that of HMAC-SHA-256, also for keys longer than a block', () => {
  fc.assert(
    fc.property(bytes, fc.string({ unit: 'grapheme' }), (key, text) => {
      const expected = createHmac('sha256', key).update(text).digest('hex')
      expect(toHex(hmacSha256(key, text))).toBe(expected)
    }),
  )
})

test('hexadecimal is read as it was written', () => {
  fc.assert(fc.property(bytes, (data) => void expect(fromHex(toHex(data))).toEqual(data)))
})

test('a number below nothing is refused instead of searched for ever', () => {
  const below = chanceOf(() => new Uint8Array(32))
  expect(below(1)).toBe(0)
  for (const bound of [0, -1, Number.NaN]) expect(() => below(bound)).toThrow(RangeError)
})
