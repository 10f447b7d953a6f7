/** Time-based codes of six digits (RFC 6238: SHA-1, 30 seconds), as all authenticator apps implement them. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes in base32, without padding. */
export const base32Of = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

const bytesOf = (base32: string): Buffer => {
  const bits = Array.from(base32, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** The number of the 30-second period. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** @param secret in base32 */
export const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The period of a code: this one, the one before (slow typing), or the next (fast clock). Null if it is wrong. */
export const stepOfCode = (secret: string, code: string, now: Date): number | null => {
  if (!/^\d{6}$/.test(code)) return null
  const steps = [-1, 0, 1].map((shift) => stepAt(now) + shift)
  return (
    steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) ??
    null
  )
}

/** The URI in the QR code for the app. */
export const otpauthUri = (secret: string, email: string): string =>
  `otpauth://totp/Tessera:${encodeURIComponent(email)}?secret=${secret}&issuer=Tessera`
