/**
 * The arithmetic of docs/verify-a-draw.md. It uses no code of the server that makes draws. The program `verify-draw` and
 * the page of a draw share it.
 */
import { chanceOf } from './chance.ts'
import { fromHex, hmacSha256, sha256, toHex } from './sha256.ts'

type Range = { count: number; min: number; max: number }
type Tier = {
  name: string
  main: number
  bonus: number
  amountCents?: number | null
  potShareBasisPoints?: number | null
}
export type Rules = {
  main: Range
  bonus?: Range | null
  potBaseCents: number
  potPerTicketCents: number
  tiers: Tier[]
}
type ListedTicket = { record: string; position: number; path: string[] }
export type Proof = {
  version: number
  drawId: string
  status: string
  rules: string | null
  commitment: string | null
  ticketCount: number
  root: string | null
  seed: string | null
  main: number[]
  bonus: number[]
  potCents: number | null
  payoutCents: number | null
  tiers: { name: string; winners: number; payoutCents: number }[]
  tickets: string[] | null
  ticket?: (ListedTicket & { holder?: string; salt?: string }) | null
}

export const hashOf = (text: string): string => toHex(sha256(text))

/** Whether a seed is the one that was promised. */
export const isPromised = (seed: string, commitment: string | null): boolean =>
  toHex(sha256(fromHex(seed))) === commitment

const leafHash = (record: string) => sha256(Uint8Array.of(0), record)
const nodeHash = (left: Uint8Array, right: Uint8Array) => sha256(Uint8Array.of(1), left, right)

/** Builds the root of a list line by line. It keeps one hash per bit of the number of lines. */
export class Tree {
  size = 0
  readonly #peaks: { height: number; hash: Uint8Array }[] = []

  add(record: string) {
    let node = { height: 0, hash: leafHash(record) }
    for (let last = this.#peaks.at(-1); last?.height === node.height; last = this.#peaks.at(-1)) {
      this.#peaks.pop()
      node = { height: node.height + 1, hash: nodeHash(last.hash, node.hash) }
    }
    this.#peaks.push(node)
    this.size++
  }

  root(): string {
    const hashes = this.#peaks.map(({ hash }) => hash)
    return toHex(hashes.reduceRight((right, left) => nodeHash(left, right)))
  }
}

/**
 * Calculates the root from one line, its position, the number of lines, and the sibling hashes on its path. Null if the
 * path is not that of such a place.
 */
const rootFromPath = ({ record, position, path }: ListedTicket, size: number): string | null => {
  let hash = leafHash(record)
  let [index, last] = [position, size - 1]
  if (!Number.isInteger(position) || position < 0 || position > last) return null
  for (const text of path) {
    const beside = fromHex(text)
    if (last === 0) return null
    if (index % 2 === 1 || index === last) {
      hash = nodeHash(beside, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index >> 1, last >> 1]
    } else hash = nodeHash(hash, beside)
    ;[index, last] = [index >> 1, last >> 1]
  }
  return last === 0 ? toHex(hash) : null
}

/** Whether a ticket is in the sealed list, whose first line is that of the draw. */
export const isListed = (
  ticket: ListedTicket,
  { root, ticketCount }: Pick<Proof, 'root' | 'ticketCount'>,
): boolean => root !== null && rootFromPath(ticket, ticketCount + 1) === root

export const holderHash = (salt: string, holder: string): string =>
  hashOf(`tessera-holder-v1\n${salt}\n${holder}`)

/** Draws the numbers of one kind from seed and root. */
const drawKind = ({ count, min, max }: Range, seed: string, root: string, kind: string) => {
  const key = fromHex(seed)
  const below = chanceOf((counter) =>
    hmacSha256(key, `tessera-numbers-v1\n${root}\n${kind}\n${counter}`),
  )
  const balls: number[] = []
  for (let number = min; number <= max; number++) balls.push(number)
  const drawn: number[] = []
  while (drawn.length < count) drawn.push(...balls.splice(below(balls.length), 1))
  return drawn.sort((a, b) => a - b)
}

/** The numbers of a draw, or of a line of a ticket. */
export type Numbers = { main: number[]; bonus: number[] }

export const drawNumbers = ({ main, bonus }: Rules, seed: string, root: string): Numbers => ({
  main: drawKind(main, seed, root, 'main'),
  bonus: bonus ? drawKind(bonus, seed, root, 'bonus') : [],
})

type Ticket = { ref: string; holder: string; lines: Numbers[]; isActive: boolean }

const numbersOf = (text: string | undefined) => (text ? text.split(',').map(Number) : [])

/** Reads a line of the list. Null if it is not that of a ticket. */
export const parseTicket = (record: string): Ticket | null => {
  const [, ref, holder, lines, state] =
    /^(\S+) [\da-f-]{36} ([\da-f]{64}) ([\d,+;]+) (active|cancelled)$/.exec(record) ?? []
  if (!ref || !holder || !lines) return null
  return {
    ref,
    holder,
    isActive: state === 'active',
    lines: lines.split(';').map((line) => {
      const [main, bonus] = line.split('+')
      return { main: numbersOf(main), bonus: numbersOf(bonus) }
    }),
  }
}

const countMatches = (numbers: number[], drawn: number[]) =>
  numbers.filter((number) => drawn.includes(number)).length

/** What a line matches, and the index of the tier that it wins; -1 without a prize. */
export const resultOf = ({ tiers }: Rules, line: Numbers, drawn: Numbers) => {
  const main = countMatches(line.main, drawn.main)
  const bonus = countMatches(line.bonus, drawn.bonus)
  return {
    main,
    bonus,
    tier: tiers.findIndex((tier) => main >= tier.main && bonus >= tier.bonus),
  }
}

export const potOf = ({ potBaseCents, potPerTicketCents }: Rules, activeTickets: number): number =>
  potBaseCents + potPerTicketCents * activeTickets

/** The cents that the winning lines of a tier get together. */
export const payoutOf = (tier: Tier, pot: number, winners: number): number => {
  if (winners === 0) return 0
  if (tier.amountCents != null) return winners * tier.amountCents
  return Number((BigInt(pot) * BigInt(tier.potShareBasisPoints ?? 0)) / 10000n)
}
