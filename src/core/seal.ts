/** Keys that follow from MASTER_KEY, and secrets sealed under them for storage. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const derived = new LRUCache<string, Buffer>({ max: 100 })

/** 32 bytes for one purpose. Keys of different purposes tell nothing of each other. */
export const deriveKey = (masterKey: string, purpose: string): Buffer => {
  const name = `${purpose}\0${masterKey}`
  let key = derived.get(name)
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', masterKey, 'tessera', purpose, 32))
    derived.set(name, key)
  }
  return key
}

/** HMAC-SHA256 of a text, keyed for one purpose. */
export const macOf = (masterKey: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', deriveKey(masterKey, purpose)).update(text).digest()

const nonceBytes = 12
const tagBytes = 16

/** A text sealed with AES-256-GCM: nonce, tag, ciphertext. */
export const seal = (masterKey: string, purpose: string, text: string): Uint8Array<ArrayBuffer> => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(masterKey, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]))
}

/**
 * The text that was sealed.
 * @throws Error when it was changed, or sealed under another master key or for another purpose
 */
export const unseal = (masterKey: string, purpose: string, sealed: Uint8Array): string => {
  const bytes = Buffer.from(sealed)
  const nonce = bytes.subarray(0, nonceBytes)
  const cipher = createDecipheriv('aes-256-gcm', deriveKey(masterKey, purpose), nonce)
  cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return (
    cipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + cipher.final('utf8')
  )
}
