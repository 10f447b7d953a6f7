/**
 * Verifies a lottery draw offline: `node verify-draw.ts proof.json [tickets.txt]`.
 *
 * This file uses nothing but Node itself, and no code of the server that made the draw. What it checks,
 * and how, is described in docs/verify-a-draw.md, so that anybody can write their own verifier.
 */
import { createHash, createHmac } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'

type Range = { count: number; min: number; max: number }
type Tier = {
  name: string
  main: number
  bonus: number
  amountCents?: number | null
  potShareBasisPoints?: number | null
}
type Rules = {
  main: Range
  bonus?: Range | null
  potBaseCents: number
  potPerTicketCents: number
  tiers: Tier[]
}
type Proof = {
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
  ticket?: {
    record: string
    position: number
    path: string[]
    holder?: string
    salt?: string
  } | null
}

export type Finding = { ok: boolean; text: string }

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

const zero = Uint8Array.of(0)
const one = Uint8Array.of(1)
const leafHash = (record: string) => sha256(zero, record)
const nodeHash = (left: Uint8Array, right: Uint8Array) => sha256(one, left, right)

/** Builds the root of a list line by line. It keeps one hash per bit of the number of lines. */
class Tree {
  size = 0
  readonly #peaks: { height: number; hash: Uint8Array }[] = []

  add(record: string) {
    let node = { height: 0, hash: leafHash(record) as Uint8Array }
    for (let last = this.#peaks.at(-1); last?.height === node.height; last = this.#peaks.at(-1)) {
      this.#peaks.pop()
      node = { height: node.height + 1, hash: nodeHash(last.hash, node.hash) }
    }
    this.#peaks.push(node)
    this.size++
  }

  root(): string {
    const hashes = this.#peaks.map(({ hash }) => hash)
    return Buffer.from(hashes.reduceRight((right, left) => nodeHash(left, right))).toString('hex')
  }
}

/** Calculates the root from one line, its position, the number of lines, and the sibling hashes on its path. */
const rootFromPath = (record: string, position: number, size: number, path: string[]): string => {
  let hash: Uint8Array = leafHash(record)
  let [index, last] = [position, size - 1]
  if (!Number.isInteger(position) || position < 0 || position > last) return 'no such place'
  for (const text of path) {
    const beside = Buffer.from(text, 'hex')
    if (last === 0) return 'the path is too long'
    if (index % 2 === 1 || index === last) {
      hash = nodeHash(beside, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index >> 1, last >> 1]
    } else hash = nodeHash(hash, beside)
    ;[index, last] = [index >> 1, last >> 1]
  }
  return last === 0 ? Buffer.from(hash).toString('hex') : 'the path is too short'
}

/** Draws the numbers of one kind from seed and root. */
const draw = (
  { count, min, max }: Range,
  seed: Uint8Array,
  root: string,
  kind: string,
): number[] => {
  const words: number[] = []
  let counter = 0
  const word = () => {
    if (words.length === 0) {
      const text = `tessera-numbers-v1\n${root}\n${kind}\n${counter++}`
      const block = createHmac('sha256', seed).update(text).digest()
      for (let i = 0; i < 32; i += 4) words.push(block.readUInt32BE(i))
    }
    return words.shift() as number
  }
  const balls: number[] = []
  for (let number = min; number <= max; number++) balls.push(number)
  const drawn: number[] = []
  while (drawn.length < count) {
    // Words at the top of the range, which would favor the first balls, are skipped.
    const fair = Math.floor(4294967296 / balls.length) * balls.length
    const found = word()
    if (found < fair) drawn.push(...balls.splice(found % balls.length, 1))
  }
  return drawn.sort((a, b) => a - b)
}

type Ticket = {
  ref: string
  holder: string
  lines: { main: number[]; bonus: number[] }[]
  active: boolean
}

const numbersOf = (text: string | undefined) => (text ? text.split(',').map(Number) : [])

const parseTicket = (record: string): Ticket | null => {
  const [, ref, holder, lines, state] =
    /^(\S+) [\da-f-]{36} ([\da-f]{64}) ([\d,+;]+) (active|cancelled)$/.exec(record) ?? []
  if (!ref || !holder || !lines) return null
  return {
    ref,
    holder,
    active: state === 'active',
    lines: lines.split(';').map((line) => {
      const [main, bonus] = line.split('+')
      return { main: numbersOf(main), bonus: numbersOf(bonus) }
    }),
  }
}

const matches = (numbers: number[], drawn: number[]) =>
  numbers.filter((number) => drawn.includes(number)).length

const tierOf = ({ tiers }: Rules, main: number, bonus: number) =>
  tiers.findIndex((tier) => main >= tier.main && bonus >= tier.bonus)

const payoutOf = (tier: Tier, pot: number, winners: number): number => {
  if (winners === 0) return 0
  if (tier.amountCents != null) return winners * tier.amountCents
  return Number((BigInt(pot) * BigInt(tier.potShareBasisPoints ?? 0)) / 10000n)
}

type Drawn = { rules: Rules; root: string; main: number[]; bonus: number[] }

/** The result of each check, in order. */
class Findings {
  readonly all: Finding[] = []

  check(ok: boolean, good: string, bad: string) {
    this.all.push({ ok, text: ok ? good : bad })
  }
}

/** Checks the seed, and draws the numbers again. */
const checkNumbers = (proof: Proof, rules: Rules, root: string, seed: Buffer, found: Findings) => {
  found.check(
    sha256(seed).toString('hex') === proof.commitment,
    'The seed is the one that was promised before the first ticket.',
    'The seed is NOT the one that was promised: its SHA-256 is not the commitment.',
  )
  const main = draw(rules.main, seed, root, 'main')
  const bonus = rules.bonus ? draw(rules.bonus, seed, root, 'bonus') : []
  const numbers = `${main.join(' ')}${bonus.length > 0 ? ` + ${bonus.join(' ')}` : ''}`
  found.check(
    String(main) === String(proof.main) && String(bonus) === String(proof.bonus),
    `The numbers ${numbers} follow from the seed and the tickets.`,
    `The numbers are NOT those that follow from the seed and the tickets: ${numbers}.`,
  )
  return { rules, root, main, bonus }
}

/** Checks that the prizes follow from the winning lines of each tier. */
const checkPrizes = (
  proof: Proof,
  { tiers, potBaseCents, potPerTicketCents }: Rules,
  active: number,
  winners: number[],
  found: Findings,
) => {
  const pot = potBaseCents + potPerTicketCents * active
  const payouts = tiers.map((tier, i) => payoutOf(tier, pot, winners[i] ?? 0))
  const claimed = proof.tiers.map((tier) => `${tier.winners}/${tier.payoutCents}`)
  const computed = payouts.map((cents, i) => `${winners[i]}/${cents}`)
  found.check(
    String(claimed) === String(computed) &&
      proof.potCents === pot &&
      proof.payoutCents === payouts.reduce((sum, cents) => sum + cents, 0),
    `The prizes are right: ${winners.reduce((a, b) => a + b, 0)} winning lines, ${proof.payoutCents} cents.`,
    `The prizes are NOT right. Winning lines and cents by tier should be: ${computed.map((text, i) => `${tiers[i]?.name} ${text}`).join(', ')}.`,
  )
}

/** Checks the list of tickets line by line, and the prizes. */
const checkList = async (
  proof: Proof,
  list: AsyncIterable<string> | Iterable<string>,
  { rules, root, main, bonus }: Drawn,
  found: Findings,
) => {
  const tree = new Tree()
  const winners = rules.tiers.map(() => 0)
  let active = 0
  let unreadable = 0
  for await (const record of list) {
    tree.add(record)
    if (tree.size === 1) {
      const own = `tessera-draw-v1 ${proof.drawId} ${sha256(proof.rules ?? '').toString('hex')}`
      found.check(
        record === own,
        'The list belongs to this draw and to these rules.',
        'The list does NOT belong to this draw and these rules.',
      )
      continue
    }
    const ticket = parseTicket(record)
    if (!ticket) unreadable++
    if (!ticket?.active) continue
    active++
    for (const line of ticket.lines) {
      const tier = tierOf(rules, matches(line.main, main), matches(line.bonus, bonus))
      if (tier >= 0) winners[tier] = (winners[tier] ?? 0) + 1
    }
  }
  found.check(
    tree.size > 0 && tree.root() === root,
    `The list of ${tree.size - 1} tickets is the one that was sealed when the draw closed.`,
    'The list of tickets is NOT the one that was sealed when the draw closed: a ticket was changed, added or removed.',
  )
  found.check(
    tree.size - 1 === proof.ticketCount && unreadable === 0,
    `It has as many tickets as the draw counts (${active} of them take part).`,
    `It does NOT have as many tickets as the draw counts: ${tree.size - 1}, not ${proof.ticketCount}.`,
  )
  if (proof.status === 'COMPLETED') checkPrizes(proof, rules, active, winners, found)
}

/** Checks that a ticket is in the list and who holds it, and compares its lines with the numbers. */
const checkTicket = (
  ticket: NonNullable<Proof['ticket']>,
  ticketCount: number,
  { rules, root, main, bonus }: Drawn,
  found: Findings,
) => {
  const { record, position, path, holder, salt } = ticket
  const parsed = parseTicket(record)
  found.check(
    parsed !== null && rootFromPath(record, position, ticketCount + 1, path) === root,
    `Ticket ${parsed?.ref} is in the list, at place ${position}.`,
    'The ticket is NOT in the list.',
  )
  if (salt !== undefined && holder !== undefined)
    found.check(
      sha256(`tessera-holder-v1\n${salt}\n${holder}`).toString('hex') === parsed?.holder,
      `It belongs to ${holder}.`,
      `It does NOT belong to ${holder}.`,
    )
  for (const line of parsed?.active ? parsed.lines : []) {
    const [m, b] = [matches(line.main, main), matches(line.bonus, bonus)]
    const name = rules.tiers[tierOf(rules, m, b)]?.name
    const numbers = [line.main.join(' '), line.bonus.join(' ')].filter(Boolean).join(' + ')
    const matched = line.bonus.length > 0 ? `${m} and ${b}` : `${m}`
    found.all.push({ ok: true, text: `  ${numbers} matches ${matched}: ${name ?? 'no prize'}` })
  }
}

/** The verdict on a proof whose parts are not what the format says. */
const notUnderstood: Finding[] = [
  { ok: false, text: 'This is no proof that this program understands.' },
]

/** Checks a proof, and the list of tickets if there is one. Returns the result of each check. */
export const verify = async (
  proof: Proof,
  list: AsyncIterable<string> | Iterable<string> | null = proof.tickets,
): Promise<Finding[]> => {
  if (proof.version !== 1 || !proof.rules || !proof.commitment) return notUnderstood
  const rules = JSON.parse(proof.rules) as Rules
  if (!proof.root || !proof.seed)
    return [{ ok: false, text: `The draw is not over: its status is ${proof.status}.` }]

  const found = new Findings()
  const drawn = checkNumbers(proof, rules, proof.root, Buffer.from(proof.seed, 'hex'), found)
  if (list) await checkList(proof, list, drawn, found)
  if (proof.ticket) checkTicket(proof.ticket, proof.ticketCount, drawn, found)
  if (!list && !proof.ticket)
    found.all.push({
      ok: false,
      text: 'There are no tickets to check: hand over the list, too (it is at `ticketsUrl`).',
    })
  return found.all
}

/** A file that this program cannot verify. The message is one line. */
class UnusableFileError extends Error {}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

const unreadable = (path: string, { code = '', message }: NodeJS.ErrnoException) =>
  new UnusableFileError(`${path} cannot be read: ${reasons[code] ?? message}`)

/** @throws UnusableFileError */
const readProof = (path: string): Proof => {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'))
    // An answer of the API has it in `data`.
    const proof = read?.data ?? read
    if (typeof proof === 'object' && proof !== null && !Array.isArray(proof)) return proof
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(path, error as Error)
    throw new UnusableFileError(`${path} is no proof: it is not JSON`)
  }
  throw new UnusableFileError(`${path} is no proof: it is not a JSON object`)
}

/** @throws UnusableFileError */
const readList = (path: string) => {
  try {
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw unreadable(path, error as Error)
  }
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
}

const verifyFiles = async (proofPath: string, listPath: string | undefined): Promise<boolean> => {
  const proof = readProof(proofPath)
  const lines = listPath === undefined ? undefined : readList(listPath)
  // Parts that are not what the format says end in an error somewhere.
  const findings = await verify(proof, lines).catch(() => notUnderstood)
  for (const { ok, text } of findings) console.log(`${ok ? '✓' : '✗'} ${text}`)
  return findings.every(({ ok }) => ok)
}

/** Prints what the checks of a proof find. Returns the exit code. */
export const main = async ([proofPath, listPath]: string[]): Promise<number> => {
  if (!proofPath) {
    console.error('Usage: node verify-draw.ts proof.json [tickets.txt]')
    return 2
  }
  try {
    const isGood = await verifyFiles(proofPath, listPath)
    console.log(
      isGood
        ? '\nThe proof holds. What it cannot show is in docs/verify-a-draw.md.'
        : '\nThe proof does NOT hold.',
    )
    return isGood ? 0 : 1
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error
    console.error(error.message)
    return 2
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
