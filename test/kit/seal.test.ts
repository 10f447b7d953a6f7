import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bindTo,
  deriveKey,
  type MasterKey,
  type MasterKeys,
  seal,
  unseal,
} from '../../src/kit/security/seal.ts'
import { runSeed } from '../games/random.ts'

const one: MasterKey = { version: 1, text: 'first key '.repeat(4) }
const two: MasterKey = { version: 2, text: 'second key '.repeat(4) }
const seed = runSeed()

const binding = fc.record({ purpose: fc.string(), owner: fc.string({ minLength: 1 }) })
const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const hold = (property: fc.IProperty<never>) => fc.assert(property, { seed })

/** As values were sealed before master keys had versions. */
const sealOld = (key: string, purpose: string, text: string) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

describe('a sealed text', () => {
  test('opens for its purpose and owner, and is different each time', () => {
    hold(
      fc.property(text, binding, (text, binding) => {
        const [a, b] = [seal([one], binding, text), seal([one], binding, text)]
        expect(unseal([one], binding, a)).toBe(text)
        expect(Buffer.compare(a, b)).not.toBe(0)
      }) as never,
    )
  })

  test('opens for no other purpose or owner', () => {
    hold(
      fc.property(text, binding, binding, (text, binding, other) => {
        const sealed = seal([one], binding, text)
        for (const wrong of [
          { ...binding, owner: other.owner },
          { ...binding, purpose: other.purpose },
        ])
          if (wrong.owner !== binding.owner || wrong.purpose !== binding.purpose)
            expect(() => unseal([one], wrong, sealed)).toThrow()
        expect(() => unseal([one], { ...binding, owner: '' }, sealed)).toThrow()
      }) as never,
    )
  })

  test('does not open if a bit was changed or a part is missing', () => {
    hold(
      fc.property(text, binding, fc.nat(), fc.nat(7), (text, binding, place, bit) => {
        const sealed = seal([one, two], binding, text)
        const at = place % sealed.length
        expect(() => unseal([one, two], binding, sealed.subarray(0, at))).toThrow()
        sealed[at] = (sealed[at] as number) ^ (1 << bit)
        expect(() => unseal([one, two], binding, sealed)).toThrow()
      }) as never,
    )
  })

  test('of one row does not open for another row, another tenant or the platform', () => {
    const row = { partnerId: 'p', environment: 'TEST' as const, id: 'a' }
    const sealed = seal([one], bindTo(row, 'x'), 'text')
    expect(unseal([one], bindTo(row, 'x'), sealed)).toBe('text')
    for (const other of [
      { id: 'b' },
      { partnerId: 'q' },
      { partnerId: null },
      { environment: 'LIVE' as const },
    ])
      expect(() => unseal([one], bindTo({ ...row, ...other }, 'x'), sealed)).toThrow()
  })
})

describe('master keys with versions', () => {
  const here = { purpose: 'x', owner: 'somebody' }
  const open = (keys: MasterKeys, sealed: Uint8Array) => unseal(keys, here, sealed)

  test('seal under the first and open under any', () => {
    const [old, now] = [seal([one, two], here, 'old'), seal([two, one], here, 'now')]
    for (const keys of [
      [two, one],
      [one, two],
    ] as MasterKeys[]) {
      expect(open(keys, old)).toBe('old')
      expect(open(keys, now)).toBe('now')
    }
    expect(() => open([two], old)).toThrow('version 1 of the master key, which is not set')
    expect(() => open([one], now)).toThrow('version 2 of the master key, which is not set')
    expect(() => open([{ ...two, version: 1 }], old)).toThrow()
  })

  test('open what was sealed before there were versions under version 1, whoever the owner is', () => {
    hold(
      fc.property(text, (text) => {
        const sealed = sealOld(one.text, 'x', text)
        expect(open([two, one], sealed)).toBe(text)
        expect(() => unseal([one], { ...here, purpose: 'y' }, sealed)).toThrow()
        expect(() => open([two], sealed)).toThrow('version 1')
        sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1
        expect(() => open([two, one], sealed)).toThrow()
      }) as never,
    )
  })
})
