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

const first: MasterKey = { version: 1, text: 'first key '.repeat(4) }
const second: MasterKey = { version: 2, text: 'second key '.repeat(4) }
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
        const [a, b] = [seal([first], binding, text), seal([first], binding, text)]
        expect(unseal([first], binding, a)).toBe(text)
        expect(Buffer.compare(a, b)).not.toBe(0)
      }) as never,
    )
  })

  test('opens for no other purpose or owner', () => {
    hold(
      fc.property(text, binding, binding, (text, binding, other) => {
        const sealed = seal([first], binding, text)
        for (const wrong of [
          { ...binding, owner: other.owner },
          { ...binding, purpose: other.purpose },
        ])
          if (wrong.owner !== binding.owner || wrong.purpose !== binding.purpose)
            expect(() => unseal([first], wrong, sealed)).toThrow()
        expect(() => unseal([first], { ...binding, owner: '' }, sealed)).toThrow()
      }) as never,
    )
  })

  test('does not open if a bit was changed or a part is missing', () => {
    hold(
      fc.property(text, binding, fc.nat(), fc.nat(7), (text, binding, place, bit) => {
        const sealed = seal([first, second], binding, text)
        const at = place % sealed.length
        expect(() => unseal([first, second], binding, sealed.subarray(0, at))).toThrow()
        sealed[at] = (sealed[at] as number) ^ (1 << bit)
        expect(() => unseal([first, second], binding, sealed)).toThrow()
      }) as never,
    )
  })

  test('of one row does not open for another row, another tenant or the platform', () => {
    const row = { partnerId: 'p', environment: 'TEST' as const, id: 'a' }
    const sealed = seal([first], bindTo(row, 'x'), 'text')
    expect(unseal([first], bindTo(row, 'x'), sealed)).toBe('text')
    for (const other of [
      { id: 'b' },
      { partnerId: 'q' },
      { partnerId: null },
      { environment: 'LIVE' as const },
    ])
      expect(() => unseal([first], bindTo({ ...row, ...other }, 'x'), sealed)).toThrow()
  })
})

describe('master keys with versions', () => {
  const current = { purpose: 'x', owner: 'somebody' }
  const open = (keys: MasterKeys, sealed: Uint8Array) => unseal(keys, current, sealed)

  test('seal under the first and open under any', () => {
    const [old, now] = [
      seal([first, second], current, 'old'),
      seal([second, first], current, 'now'),
    ]
    for (const keys of [
      [second, first],
      [first, second],
    ] as MasterKeys[]) {
      expect(open(keys, old)).toBe('old')
      expect(open(keys, now)).toBe('now')
    }
    expect(() => open([second], old)).toThrow('version 1 of the master key, which is not set')
    expect(() => open([first], now)).toThrow('version 2 of the master key, which is not set')
    expect(() => open([{ ...second, version: 1 }], old)).toThrow()
  })

  test('open what was sealed before there were versions under version 1, whoever the owner is', () => {
    hold(
      fc.property(text, (text) => {
        const sealed = sealOld(first.text, 'x', text)
        expect(open([second, first], sealed)).toBe(text)
        expect(() => unseal([first], { ...current, purpose: 'y' }, sealed)).toThrow()
        expect(() => open([second], sealed)).toThrow('version 1')
        sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1
        expect(() => open([second, first], sealed)).toThrow()
      }) as never,
    )
  })
})
