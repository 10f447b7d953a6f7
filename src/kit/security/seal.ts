/** Keys derived from a master key, and secrets sealed for storage under a version of it. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Tenant } from '../tenant.ts'

/** One version of the master key. */
export type MasterKey = { version: number; text: string }

/** The first key seals and signs. The others still open and verify. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

const derived = new LRUCache<string, KeyObject>({ max: 200 })

/** A 32-byte key for one purpose. Keys of different purposes reveal nothing about each other. */
export const deriveKey = (key: string, purpose: string): KeyObject => {
  const name = `${purpose}\0${key}`
  let found = derived.get(name)
  if (!found) {
    found = createSecretKey(Buffer.from(hkdfSync('sha256', key, 'tessera', purpose, 32)))
    derived.set(name, found)
  }
  return found
}

/** HMAC-SHA256 of a text, keyed for one purpose. */
export const macOf = (key: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', deriveKey(key, purpose)).update(text).digest()

/** Whether `make` gives this token under one of the keys. Compares in constant time. */
export const isTokenOf = (
  keys: MasterKeys,
  token: string,
  make: (key: MasterKey) => string,
): boolean => {
  const theirs = Buffer.from(token)
  return keys.some((key) => {
    const ours = Buffer.from(make(key))
    return ours.length === theirs.length && timingSafeEqual(ours, theirs)
  })
}

/** The purpose and the owner of a sealed value. It opens for no other. */
export type Binding = { purpose: string; owner: string }

/** A row of a tenant, or of the platform (null). `id` is unique among the rows of one purpose. */
export type SealedRow = Pick<Tenant, 'environment'> & { partnerId: string | null; id: string }

/** Binds a value to its row. */
export const bindTo = ({ partnerId, environment, id }: SealedRow, purpose: string): Binding => ({
  purpose,
  owner: `${partnerId ?? 'platform'} ${environment} ${id}`,
})

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const magic = Buffer.from('TSv2')
const headerBytes = magic.length + 4

/** The prefix of values sealed under this version. */
export const sealHeader = (version: number): Buffer => {
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.writeUInt32BE(version, magic.length)
  return header
}

/**
 * A text sealed under the first key with AES-256-GCM: header, nonce, tag, ciphertext.
 * @param nonce 12 bytes; the caller guarantees that no other text has it under this purpose
 */
export const seal = (
  [key]: MasterKeys,
  { purpose, owner }: Binding,
  text: string,
  nonce: Buffer = randomBytes(nonceBytes),
): Uint8Array<ArrayBuffer> => {
  const cipher = createCipheriv(cipherName, deriveKey(key.text, purpose), nonce)
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const header = sealHeader(key.version)
  return new Uint8Array(Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]))
}

const open = (key: MasterKey, { purpose, owner }: Binding, bytes: Buffer): string => {
  const nonce = bytes.subarray(0, nonceBytes)
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(cipherName, deriveKey(key.text, purpose), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(tag)
  if (owner) decipher.setAAD(Buffer.from(owner))
  return (
    decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') +
    decipher.final('utf8')
  )
}

/**
 * The plaintext of a sealed value. A value without a header was sealed before master keys had versions: under
 * the key that is now version 1, and bound to no owner.
 * @throws Error if it was changed, belongs to another owner or purpose, or its key is not configured
 */
export const unseal = (keys: MasterKeys, binding: Binding, sealed: Uint8Array): string => {
  const bytes = Buffer.from(sealed)
  const isOld = !bytes.subarray(0, magic.length).equals(magic)
  if (!isOld && bytes.length < headerBytes) throw new Error('a sealed value is cut off')
  const version = isOld ? 1 : bytes.readUInt32BE(magic.length)
  const key = keys.find((key) => key.version === version)
  if (!key) throw new Error(`sealed under version ${version} of the master key, which is not set`)
  return isOld
    ? open(key, { ...binding, owner: '' }, bytes)
    : open(key, binding, bytes.subarray(headerBytes))
}

/** A column of sealed values, each bound to its row. Its table has `partner_id` and `environment`. */
export type SealedColumn = {
  table: string
  column: string
  /** The primary key, with SQL types. The last column is unique within a tenant. */
  key: Record<string, string>
  purpose: string
  /** Stored as text in base64, not as bytes. */
  base64?: true
}
