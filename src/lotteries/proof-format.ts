/**
 * The format of the published data of a draw, and how the numbers are derived from it. docs/verify-a-draw.md
 * describes it; `packages/verifier` checks it and shares no code with this file.
 */
import { createHmac, hash } from 'node:crypto'
import { type Line, type LotteryRules, pickNumbers } from './lottery.rules.ts'

const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/** The commitment to the seed, which is published at opening. */
export const commitmentOf = (seed: Uint8Array): Buffer => sha256(seed)

/** The hash of the holder of a ticket. It reveals nothing without the salt. */
export const holderOf = (salt: Uint8Array, entrant: string): Buffer =>
  sha256(`tessera-holder-v1\n${Buffer.from(salt).toString('hex')}\n${entrant}`)

const lineText = ({ main, bonus }: Line) =>
  bonus.length > 0 ? `${main.join(',')}+${bonus.join(',')}` : main.join(',')

/** The first line of the list: the draw itself, so that its rules cannot change under its tickets. */
export const drawRecord = (drawId: string, rules: string): string =>
  `tessera-draw-v1 ${drawId} ${sha256(rules).toString('hex')}`

type TicketRecord = {
  id: string
  ticketRef: string
  holder: Uint8Array
  lines: Line[]
  cancelled: boolean
}

/** The public line of a ticket. */
export const ticketRecord = ({ id, ticketRef, holder, lines, cancelled }: TicketRecord): string =>
  [
    ticketRef,
    id,
    Buffer.from(holder).toString('hex'),
    lines.map(lineText).join(';'),
    cancelled ? 'cancelled' : 'active',
  ].join(' ')

const leafPrefix = Buffer.of(0)
const nodePrefix = Buffer.of(1)

/** Hash of one line of the list (RFC 6962: separate prefixes keep leaves and nodes apart). */
export const ticketLeafOf = (record: string): Buffer =>
  sha256(Buffer.concat([leafPrefix, Buffer.from(record)]))

/** The length of a hash in bytes. Many hashes share one buffer, to reduce garbage collection. */
export const hashBytes = 32

const scratch = Buffer.alloc(1 + 2 * hashBytes)
nodePrefix.copy(scratch)

/** The largest power of two below a number above 1. */
const split = (count: number) => 2 ** (Math.ceil(Math.log2(count)) - 1)

/** Merkle root of one or more concatenated hashes (RFC 6962). */
export const merkleRoot = (hashes: Uint8Array): Buffer => {
  const row = Buffer.from(hashes)
  let count = row.length / hashBytes
  // Level by level: an unpaired last hash moves up, which gives the same tree as splitting at powers of two.
  while (count > 1) {
    const pairs = count >> 1
    for (let i = 0; i < pairs; i++) {
      row.copy(scratch, 1, 2 * i * hashBytes, 2 * (i + 1) * hashBytes)
      // As Latin-1 text, which is three times as fast as one buffer for each hash.
      row.write(hash('sha256', scratch, 'binary'), i * hashBytes, 'binary')
    }
    if (count % 2 === 1)
      row.copy(row, pairs * hashBytes, (count - 1) * hashBytes, count * hashBytes)
    count = pairs + (count % 2)
  }
  return Buffer.from(row.subarray(0, hashBytes))
}

/** The sibling hashes on the path from a hash to the root, the lowest first. */
export const merklePath = (hashes: Uint8Array, index: number): Buffer[] => {
  const count = hashes.length / hashBytes
  if (count === 1) return []
  const k = split(count)
  const [left, right] = [hashes.subarray(0, k * hashBytes), hashes.subarray(k * hashBytes)]
  return index < k
    ? [...merklePath(left, index), merkleRoot(right)]
    : [...merklePath(right, index - k), merkleRoot(left)]
}

/** Unbiased random numbers from seed and root, by rejection sampling of a stream of 32-bit numbers. */
const chanceFrom = (seed: Uint8Array, root: Uint8Array, kind: 'main' | 'bonus') => {
  const rootText = Buffer.from(root).toString('hex')
  let block = Buffer.alloc(0)
  let counter = 0
  const next = (): number => {
    if (block.length === 0)
      block = createHmac('sha256', seed)
        .update(`tessera-numbers-v1\n${rootText}\n${kind}\n${counter++}`)
        .digest()
    const word = block.readUInt32BE(0)
    block = block.subarray(4)
    return word
  }
  return (bound: number): number => {
    const limit = 2 ** 32 - (2 ** 32 % bound)
    for (;;) {
      const word = next()
      if (word < limit) return word % bound
    }
  }
}

/** The numbers of a draw, which depend only on seed and root. */
export const drawNumbers = (rules: LotteryRules, seed: Uint8Array, root: Uint8Array): Line => ({
  main: pickNumbers(rules.main, chanceFrom(seed, root, 'main')),
  bonus: rules.bonus ? pickNumbers(rules.bonus, chanceFrom(seed, root, 'bonus')) : [],
})
