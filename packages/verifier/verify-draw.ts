/**
 * Verifies a lottery draw offline: `node verify-draw.ts proof.json [tickets.txt]`.
 *
 * It uses nothing but Node itself, and no code of the server that made the draw. What it checks, and how, is described in
 * docs/verify-a-draw.md, so that anybody can write their own verifier.
 */
import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  drawNumbers,
  hashOf,
  holderHash,
  isListed,
  isPromised,
  type Numbers,
  type Proof,
  parseTicket,
  payoutOf,
  potOf,
  type Rules,
  resultOf,
  Tree,
} from './draw.ts'
import { type Finding, Findings, notUnderstood } from './finding.ts'
import { printVerdict, readProof, unreadable } from './proof-file.ts'

type Drawn = Numbers & { rules: Rules }

/** Checks the seed, and draws the numbers again. */
const checkNumbers = (
  proof: Proof,
  rules: Rules,
  root: string,
  seed: string,
  found: Findings,
): Drawn => {
  found.check(
    isPromised(seed, proof.commitment),
    'The seed is the one that was promised before the first ticket.',
    'The seed is NOT the one that was promised: its SHA-256 is not the commitment.',
  )
  const { main, bonus } = drawNumbers(rules, seed, root)
  const numbers = `${main.join(' ')}${bonus.length > 0 ? ` + ${bonus.join(' ')}` : ''}`
  found.check(
    String(main) === String(proof.main) && String(bonus) === String(proof.bonus),
    `The numbers ${numbers} follow from the seed and the tickets.`,
    `The numbers are NOT those that follow from the seed and the tickets: ${numbers}.`,
  )
  return { rules, main, bonus }
}

/** Checks that the prizes follow from the winning lines of each tier. */
const checkPrizes = (
  proof: Proof,
  rules: Rules,
  active: number,
  winners: number[],
  found: Findings,
) => {
  const { tiers } = rules
  const pot = potOf(rules, active)
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
  drawn: Drawn,
  found: Findings,
) => {
  const { rules } = drawn
  const tree = new Tree()
  const winners = rules.tiers.map(() => 0)
  let active = 0
  let unreadable = 0
  for await (const record of list) {
    tree.add(record)
    if (tree.size === 1) {
      found.check(
        record === `tessera-draw-v1 ${proof.drawId} ${hashOf(proof.rules ?? '')}`,
        'The list belongs to this draw and to these rules.',
        'The list does NOT belong to this draw and these rules.',
      )
      continue
    }
    const ticket = parseTicket(record)
    if (!ticket) unreadable++
    if (!ticket?.isActive) continue
    active++
    for (const line of ticket.lines) {
      const { tier } = resultOf(rules, line, drawn)
      if (tier >= 0) winners[tier] = (winners[tier] ?? 0) + 1
    }
  }
  found.check(
    tree.size > 0 && tree.root() === proof.root,
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
  proof: Proof,
  drawn: Drawn,
  found: Findings,
) => {
  const { record, position, holder, salt } = ticket
  const parsed = parseTicket(record)
  found.check(
    parsed !== null && isListed(ticket, proof),
    `Ticket ${parsed?.ref} is in the list, at place ${position}.`,
    'The ticket is NOT in the list.',
  )
  if (salt !== undefined && holder !== undefined)
    found.check(
      holderHash(salt, holder) === parsed?.holder,
      `It belongs to ${holder}.`,
      `It does NOT belong to ${holder}.`,
    )
  for (const line of parsed?.isActive ? parsed.lines : []) {
    const { main, bonus, tier } = resultOf(drawn.rules, line, drawn)
    const name = drawn.rules.tiers[tier]?.name
    const numbers = [line.main.join(' '), line.bonus.join(' ')].filter(Boolean).join(' + ')
    const matched = line.bonus.length > 0 ? `${main} and ${bonus}` : `${main}`
    found.all.push({ ok: true, text: `  ${numbers} matches ${matched}: ${name ?? 'no prize'}` })
  }
}

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
  const drawn = checkNumbers(proof, rules, proof.root, proof.seed, found)
  if (list) await checkList(proof, list, drawn, found)
  if (proof.ticket) checkTicket(proof.ticket, proof, drawn, found)
  if (!list && !proof.ticket)
    found.all.push({
      ok: false,
      text: 'There are no tickets to check: hand over the list, too (it is at `ticketsUrl`).',
    })
  return found.all
}

/** The lines of a file. @throws UnusableFileError */
const readList = (path: string) => {
  try {
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw unreadable(path, error as Error)
  }
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
}

const verifyFiles = async (proofPath: string, listPath: string | undefined): Promise<boolean> => {
  const proof = readProof<Proof>(proofPath)
  const lines = listPath === undefined ? undefined : readList(listPath)
  // Parts that are not what the format says end in an error somewhere.
  const findings = await verify(proof, lines).catch(() => notUnderstood)
  for (const { ok, text } of findings) console.log(`${ok ? '✓' : '✗'} ${text}`)
  return findings.every(({ ok }) => ok)
}

/** Prints what the checks of a proof find. Returns the exit code. */
export const main = async ([proofPath, listPath]: string[]): Promise<number> => {
  if (proofPath)
    return printVerdict(() => verifyFiles(proofPath, listPath), 'docs/verify-a-draw.md')
  console.error('Usage: node verify-draw.ts proof.json [tickets.txt]')
  return 2
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
