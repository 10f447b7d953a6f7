/** The public page of a draw: the numbers, the prizes, and how anyone can verify them. */
import type { DrawStatus, Environment, PageLanguage } from '../generated/prisma/enums.ts'
import { checkTexts } from './draw-check-texts.ts'
import { Html, html } from './html.ts'
import { lookOf, type PageBrand, styleOfLook, termsOf } from './page-look.ts'
import type { Notice } from './texts/notices.ts'
import { type Say, type TextKey, textsIn } from './texts/page-texts.ts'

type Amount = { amountCents: number; currency: string }

type PricedTier = {
  name: string
  mainMatches: number
  bonusMatches: number
  amount: Amount | null
  potShareBasisPoints: number | null
}

/** The data that the page queries. */
export type DrawOfPage = {
  uuid: string
  lotteryName: string
  number: number
  environment: Environment
  status: DrawStatus
  opensAt: string
  closesAt: string
  drawsAt: string
  drawnAt: string | null
  ticketCount: number
  listedCount: number
  settledRate: number
  commitment: string | null
  root: string | null
  seed: string | null
  mainNumbers: number[]
  bonusNumbers: number[]
  /** Null until it opens. */
  finalRules: object | null
  /** The jackpot is null where a prize is a share of the pot. */
  rules: { jackpot: Amount | null; tiers: PricedTier[] }
  pot: Amount
  payout: Amount | null
  tiers: { winnerCount: number; payout: Amount }[]
  ticketPosition?: number | null
  partnerName: string | null
  /** The time zone of the partner. */
  timeZone: string
  brand: PageBrand
}

/** Whole percent of a rate, rounded down but without floating-point noise: 29 of 100 is 29 %. */
const percentOf = (rate: number) => Math.floor(100 * rate + 1e-9)

const words = {
  SCHEDULED: ['scheduled', 'scheduledText'],
  OPEN: ['open', 'openText'],
  CLOSED: ['closed', 'closedText'],
  DRAWING: ['drawing', 'drawingText'],
  COMPLETED: ['completed', 'completedText'],
  CANCELLED: ['cancelled', 'cancelledText'],
} as const satisfies Record<DrawStatus, [TextKey, TextKey]>

/** The next moment of a draw, or the last one. */
const momentOf = ({ status, opensAt, closesAt, drawsAt, drawnAt }: DrawOfPage): string =>
  status === 'SCHEDULED'
    ? opensAt
    : status === 'OPEN'
      ? closesAt
      : status === 'COMPLETED'
        ? (drawnAt ?? drawsAt)
        : drawsAt

const statusOf = (draw: DrawOfPage, say: Say): { word: string; text: Html } => {
  const [word, text] = words[draw.status]
  const percent = percentOf(draw.settledRate)
  return { word: say.text(word), text: say.html(text, { at: say.moment(momentOf(draw)), percent }) }
}

const balls = (
  draw: DrawOfPage,
  say: Say,
) => html`<div class="balls" role="group" aria-label="${say.text('numbersDrawn')}">
  ${draw.mainNumbers.map((number) => html`<span class="ball">${number}</span>`)}
  ${draw.bonusNumbers.length > 0 && html`<span class="plus" aria-hidden="true">+</span>`}
  ${draw.bonusNumbers.map((number) => html`<span class="ball bonus"><span class="hidden">${say.text('bonusNumber')} </span>${number}</span>`)}
</div>`

const prize = ({ amount, potShareBasisPoints }: PricedTier, pot: Amount, say: Say) => {
  if (amount) return say.money(amount)
  const share = potShareBasisPoints ?? 0
  const shared = { ...pot, amountCents: Math.floor((pot.amountCents * share) / 10_000) }
  return html`${say.text('shareOfPot', { share: share / 100 })}<small>${say.text('shared', { amount: say.money(shared) })}</small>`
}

const needed = ({ mainMatches: main, bonusMatches: bonus }: PricedTier, say: Say) =>
  [main > 0 && say.number(main), bonus > 0 && say.text('bonusMatches', { count: bonus })]
    .filter(Boolean)
    .join(' + ')

const prizes = (draw: DrawOfPage, say: Say) => {
  const { pot } = draw
  const results = draw.payout && draw.tiers
  const [matches, winners, paid] = [say.text('matches'), say.text('winners'), say.text('paid')]
  return html`<section>
  <h2>${say.text('prizes')}</h2>
  <div class="scroll"><table>
    <thead><tr><th>${say.text('prize')}</th><th>${matches}</th><th class="right">${say.text('eachLineWins')}</th>${results && html`<th class="right">${winners}</th><th class="right">${paid}</th>`}</tr></thead>
    <tbody>${draw.rules.tiers.map(
      (tier, i) =>
        html`<tr><th scope="row">${tier.name}</th><td data-label="${matches}">${needed(tier, say)}</td><td class="right">${prize(tier, pot, say)}</td>${
          results &&
          html`<td class="right" data-label="${winners}">${say.number(results[i]?.winnerCount ?? 0)}</td><td class="right" data-label="${paid}">${say.money(results[i]?.payout ?? { ...pot, amountCents: 0 })}</td>`
        }</tr>`,
    )}</tbody>
  </table></div>
  <p class="note">${say.text('prizeRule')} ${!draw.rules.jackpot && say.text('potShareRule')} ${draw.payout && say.html('paidInAll', { amount: html`<b>${say.money(draw.payout)}</b>` })}</p>
</section>`
}

const facts = (draw: DrawOfPage, say: Say) => html`<dl class="facts">
  <div><dt>${say.text('tickets')}</dt><dd>${say.number(draw.ticketCount)}</dd></div>
  ${
    draw.rules.jackpot
      ? html`<div><dt>${say.text('jackpot')}</dt><dd>${say.money(draw.rules.jackpot)}</dd></div>`
      : html`<div><dt>${say.text('pot')}</dt><dd>${draw.finalRules ? say.money(draw.pot) : '—'}</dd></div>`
  }
  <div><dt>${say.text(draw.status === 'COMPLETED' ? 'paid' : 'closes')}</dt><dd>${draw.payout ? say.money(draw.payout) : say.moment(draw.closesAt)}</dd></div>
</dl>`

/** The answer about a ticket for a browser that cannot verify it. */
const answerAbout = (position: number | null | undefined, say: Say) =>
  position
    ? html`<p>${say.text('listedAt', { position })}</p>`
    : html`<p class="result bad">${say.text('noTicket')}</p>`

/** The texts that the browser shows about a ticket. */
const textsOfCheck = ({ texts, tag }: Say) => JSON.stringify({ ...checkTexts(texts), tag })

const checkForm = (
  draw: DrawOfPage,
  say: Say,
  requested: string | null,
) => html`<section id="check">
  <h2>${say.text('checkTicket')}</h2>
  ${
    draw.root
      ? html`<p>${say.html('checkText', { link: html`<a href="#proof">${say.text('onYourMachine')}</a>` })}</p>
  <form method="get" action="/draws/${draw.uuid}#check" data-draw="${draw.uuid}" data-texts="${textsOfCheck(say)}">
    <label for="ticket">${say.text('ticketRef')}</label>
    <div class="row"><input id="ticket" name="ticket" value="${requested}" placeholder="LX-2026-1121-7K2P" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
    <button>${say.text('check')}</button></div>
    <details><summary>${say.text('isItMine')}</summary>
      <p>${say.text('isItMineText')}</p>
      <label for="holder">${say.text('holder')}</label><input id="holder" autocomplete="off">
      <label for="salt">${say.text('salt')}</label><input id="salt" autocomplete="off" spellcheck="false">
    </details>
  </form>
  <div id="outcome" role="status" aria-live="polite">${requested !== null && answerAbout(draw.ticketPosition, say)}</div>`
      : html`<p>${say.text('checkLater')}</p>`
  }
</section>`

type Step = 'promise' | 'sealed' | 'revealed'

const step = (name: Step, value: string | null, say: Say) => html`<li>
    <h3>${say.text(name)}</h3><p>${say.text(`${name}Text`)}</p>
    ${value ? html`<code>${value}</code>` : html`<p class="later">${say.text(`${name}Later`)}</p>`}
  </li>`

/** The limits of the proof. For the rest, players must trust the operator, and the page tells them so. */
const limits = ({ text }: Say) => html`<h2>${text('limitsTitle')}</h2>
  <div class="limits">
  <div class="proved"><h3>${text('proved')}</h3>
  <ul>
    <li>${text('provedSeed')}</li>
    <li>${text('provedNumbers')}</li>
    <li>${text('provedTickets')}</li>
    <li>${text('provedPrizes')}</li>
  </ul></div>
  <div class="trusted"><h3>${text('notProved')}</h3>
  <ul>
    <li><b>${text('notProvedSeed')}</b> ${text('notProvedSeedText')}</li>
    <li><b>${text('notProvedTime')}</b> ${text('notProvedTimeText')}</li>
  </ul></div>
  </div>
  <p>${text('relyOn')}</p>`

/** A longer list is not part of the proof. */
const longestInProof = 10_000

const ownCheck = ({ uuid, listedCount }: DrawOfPage, say: Say) => {
  const isLong = listedCount > longestInProof
  const proof = html`<a href="/draws/${uuid}/proof.json" download>${say.text('proof')}</a>`
  const list = html`<a href="/draws/${uuid}/tickets.txt">${say.text(isLong ? 'ticketList' : 'textFile')}</a>`
  const program = html`<a href="/docs/verify-draw.ts" download>verify-draw.ts</a>`
  const node = html`<a href="https://nodejs.org">Node</a>`
  const what = html`<a href="/docs/verify-a-draw">${say.text('whatItChecks')}</a>`
  return html`<p id="proof">${say.html(isLong ? 'offlineLong' : 'offline', { proof, list })}</p>
  <pre><code>node verify-draw.ts proof.json${isLong && ' tickets.txt'}</code></pre>
  <p>${say.html('program', { program, node, what })}</p>`
}

const howTo = (draw: DrawOfPage, say: Say) => html`<section>
  <h2>${say.text('howTitle')}</h2>
  <ol class="steps">
  ${step('promise', draw.commitment, say)}
  ${step('sealed', draw.root, say)}
  ${step('revealed', draw.seed, say)}
  </ol>
  ${limits(say)}
  ${draw.root && ownCheck(draw, say)}
</section>`

/** The style with the colors of a brand, which replaces those of the style sheet; empty without a color. */
export const lookStyleOf = ({ brand: { color } }: DrawOfPage): string =>
  color
    ? `${styleOfLook(lookOf(color, ''))}:root{--accent:var(--light)}@media (prefers-color-scheme:dark){:root{--accent:var(--dark)}}`
    : ''

const brandHead = ({ brand: { logoUrl, imageUrl }, partnerName }: DrawOfPage) =>
  (logoUrl || imageUrl) &&
  html`<div class="brand${imageUrl && ' banner'}">
  ${imageUrl && html`<img class="picture" src="${imageUrl}" alt="">`}
  ${logoUrl && html`<img class="logo" src="${logoUrl}" alt="${partnerName ?? ''}">`}
</div>`

const footer = ({ uuid, brand, partnerName }: DrawOfPage, say: Say) => {
  const promoter = brand.promoter ?? partnerName
  return html`<footer>
  ${promoter && html`<p>${say.text('drawBy', { promoter })}</p>`}
  ${termsOf(brand, say)}
  <p>${say.html('drawId', { id: html`<code>${uuid}</code>` })}</p>
</footer>`
}

/** @param asked the reference of a ticket that was asked for without JavaScript */
export const drawPage = (draw: DrawOfPage, requested: string | null = null): string => {
  const say = textsIn(draw.brand.language, draw.timeZone)
  const { word, text } = statusOf(draw, say)
  const { lotteryName: lottery, number } = draw
  const style = lookStyleOf(draw)
  return `<!doctype html>\n${
    html`<html lang="${say.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${say.text('drawTitle', { lottery, number })}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/draws/page.css">
<link rel="stylesheet" href="/draws/check.css">
<link rel="stylesheet" href="/draws/proof.css">
${style && html`<style>${new Html(style)}</style>`}
<script src="/draws/check.js" type="module"></script>
</head>
<body>
<main>
${brandHead(draw)}
<header>
  <p class="kicker">${say.text('drawNumber', { number })}<span class="badge ${draw.status.toLowerCase()}">${word}</span>${draw.environment === 'TEST' && html`<span class="badge test">${say.text('testDraw')}</span>`}</p>
  <h1>${lottery}</h1>
  ${draw.mainNumbers.length > 0 && balls(draw, say)}
  <p class="lead">${text}</p>
  ${draw.status !== 'CANCELLED' && facts(draw, say)}
</header>
${checkForm(draw, say, requested)}
${prizes(draw, say)}
${howTo(draw, say)}
${footer(draw, say)}
</main>
</body>
</html>`.text
  }\n`
}

export const drawNoticePage = (
  status: number,
  [title, text]: Notice,
  language: PageLanguage,
): string =>
  `<!doctype html>\n${
    html`<html lang="${textsIn(language).tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/draws/page.css"></head>
<body><main><header><p class="kicker">${status}</p><h1>${title}</h1><p class="lead">${text}</p></header></main></body></html>`
      .text
  }\n`
