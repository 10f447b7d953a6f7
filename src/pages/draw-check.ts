/**
 * Checks a ticket in the browser, from the values on the page and in the list, by the arithmetic of the program
 * `verify-draw`. It calculates everything that it can instead of trusting the page.
 */
import {
  drawNumbers,
  holderHash,
  isListed,
  isPromised,
  type Numbers,
  type Proof,
  parseTicket,
  type Rules,
  resultOf,
} from '../../packages/verifier/draw.ts'
import { type Finding, Findings } from '../../packages/verifier/finding.ts'
import { element, listOf } from './check-parts.ts'
import type { CheckTexts } from './draw-check-texts.ts'

type Asked = { ref: string; holder: string; salt: string }
type TicketProof = Proof & { ticket: NonNullable<Proof['ticket']> }
type Line = { hasWon: boolean; text: HTMLElement }
type Checked = { findings: Finding[]; isActive: boolean; isDrawn: boolean; lines: Line[] }

const form = document.querySelector<HTMLFormElement>('form[data-draw]')
const texts: CheckTexts = JSON.parse(form?.dataset['texts'] ?? '{}')

/** A text with its values. */
const say = (key: Exclude<keyof CheckTexts, 'tag'>, values: Record<string, number> = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[name] ?? 0).toLocaleString(texts.tag),
  )

/** The last texts of elements. A hidden one may explain them. */
const textsOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ lastChild }) => lastChild?.textContent)

const numbers = (list: number[], drawn: number[]) =>
  list.flatMap((number) => [
    drawn.includes(number) ? element('span', 'hit', String(number)) : String(number),
    ' ',
  ])

const lineOf = (line: Numbers, rules: Rules, drawn: Numbers): Line => {
  const tier = rules.tiers[resultOf(rules, line, drawn).tier]
  const text = element('div', '', ...numbers(line.main, drawn.main))
  if (line.bonus.length > 0) text.append('+ ', ...numbers(line.bonus, drawn.bonus))
  text.append(`— ${tier?.name ?? say('noPrize')}`)
  return { hasWon: tier !== undefined, text }
}

/** The result of a check: findings, and the lines of the ticket with what they won. */
const check = (proof: TicketProof, requested: Asked): Checked => {
  const { ticket, ticketCount, commitment, root, seed } = proof
  const parsed = parseTicket(ticket.record)
  const found = new Findings()
  found.check(
    isListed(ticket, proof) && parsed?.ref === requested.ref,
    say('inList', { position: ticket.position, count: ticketCount }),
    say('notInList'),
  )
  if (requested.holder && requested.salt)
    found.check(
      // An e-mail address is in the list in lower case.
      [requested.holder, requested.holder.toLowerCase()].some(
        (holder) => holderHash(requested.salt, holder) === parsed?.holder,
      ),
      say('yours'),
      say('notYours'),
    )
  const isActive = parsed?.isActive ?? false
  if (!root || !seed) return { findings: found.all, isActive, isDrawn: false, lines: [] }
  const rules: Rules = JSON.parse(proof.rules ?? '')
  found.check(isPromised(seed, commitment), say('seedPromised'), say('seedNotPromised'))
  const drawn = drawNumbers(rules, seed, root)
  found.check(
    String([...drawn.main, ...drawn.bonus]) === String(textsOf('.ball')),
    say('numbersFollow'),
    say('numbersDoNot'),
  )
  const lines = (parsed?.lines ?? []).map((line) => lineOf(line, rules, drawn))
  return { findings: found.all, isActive, isDrawn: true, lines }
}

const headline = ({ findings, isActive, isDrawn, lines }: Checked) => {
  if (findings.some(({ ok }) => !ok)) return say('wrong')
  if (!isActive) return say('ticketCancelled')
  if (!isDrawn) return say('takesPart')
  return lines.some(({ hasWon }) => hasWon) ? say('hasWon') : say('hasNotWon')
}

const outcome = document.querySelector('#outcome') as HTMLElement
const typedIn = (id: string) => (document.getElementById(id) as HTMLInputElement).value.trim()

const run = async (drawId: string) => {
  const requested = {
    ref: typedIn('ticket').toUpperCase(),
    holder: typedIn('holder'),
    salt: typedIn('salt').toLowerCase(),
  }
  const show = (text: string) => outcome.replaceChildren(element('p', 'result bad', text))
  try {
    const answer = await fetch(`/draws/${drawId}/tickets/${encodeURIComponent(requested.ref)}`)
    if (answer.status === 404) return show(say('noTicket'))
    if (!answer.ok) return show(say('noAnswer'))
    const proof = await answer.json()
    // The values on the page count, not those that came with the ticket.
    const published = textsOf('.steps code')
    if (
      ![proof.commitment, proof.root, proof.seed].every(
        (value, i) => (value ?? undefined) === published[i],
      )
    )
      return show(say('outdated'))
    const checked = check(proof, requested)
    const isBad = checked.findings.some(({ ok }) => !ok)
    outcome.replaceChildren(
      element('p', isBad ? 'result bad' : 'result', headline(checked)),
      element('div', 'lines', ...checked.lines.map(({ text }) => text)),
      listOf(checked.findings),
    )
  } catch {
    show(say('cannotCheck'))
  }
}

const drawId = form?.dataset['draw']
if (form && drawId) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(drawId)
  })
  if (typedIn('ticket')) void run(drawId)
}
