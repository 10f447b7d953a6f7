/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104). Browsers have them only as promises, and only over HTTPS; Node has them
 * under other names. A list of tickets needs millions of hashes, one after the other.
 */

/** Words in hexadecimal. */
const wordsOf = (text: string) =>
  Int32Array.from(text.trim().split(/\s+/), (word) => Number.parseInt(word, 16))

const roundConstants = wordsOf(`
  428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5
  d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174
  e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da
  983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967
  27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85
  a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070
  19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3
  748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`)
const initialState = wordsOf(`
  6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19`)
const blockBytes = 64
const schedule = new Int32Array(64)
/** A number of the table or the schedule; the caller stays within their 64 numbers. */
const at = (numbers: Int32Array, index: number) => numbers[index] as number
const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

type Eight = [number, number, number, number, number, number, number, number]

/** Adds a block of 64 bytes to the eight words of a hash. */
const addBlock = (state: Int32Array, data: DataView, start: number) => {
  for (let t = 0; t < 16; t++) schedule[t] = data.getInt32(start + 4 * t)
  for (let t = 16; t < 64; t++) {
    const x = at(schedule, t - 15)
    const y = at(schedule, t - 2)
    const small = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const large = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    schedule[t] = at(schedule, t - 16) + small + at(schedule, t - 7) + large
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let t = 0; t < 64; t++) {
    const sumOfE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + sumOfE + choice + at(roundConstants, t) + at(schedule, t)) | 0
    const sumOfA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sumOfA + majority) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = at(state, i) + (added[i] as number)
}

const encoder = new TextEncoder()

/** The hash of parts, one after the other. Texts are hashed as UTF-8. */
export const sha256 = (...parts: (string | Uint8Array)[]): Uint8Array => {
  const bytes = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part))
  const length = bytes.reduce((sum, part) => sum + part.length, 0)
  // After the data: one bit, zeros, and the number of bits in eight bytes.
  const padded = new Uint8Array(Math.ceil((length + 9) / blockBytes) * blockBytes)
  let end = 0
  for (const part of bytes) {
    padded.set(part, end)
    end += part.length
  }
  padded[end] = 0x80
  const data = new DataView(padded.buffer)
  data.setUint32(padded.length - 8, Math.floor(length / 2 ** 29))
  data.setUint32(padded.length - 4, length << 3)
  const state = initialState.slice()
  for (let start = 0; start < padded.length; start += blockBytes) addBlock(state, data, start)
  const hash = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) hash.setInt32(4 * i, word)
  return new Uint8Array(hash.buffer)
}

export const hmacSha256 = (key: Uint8Array, text: string): Uint8Array => {
  const block = new Uint8Array(blockBytes)
  block.set(key.length > blockBytes ? sha256(key) : key)
  const keyXor = (byte: number) => block.map((item) => item ^ byte)
  return sha256(keyXor(0x5c), sha256(keyXor(0x36), text))
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length >> 1 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
