/** The public page of a draw: the numbers, the prizes, and how anyone can verify them. */
import type { DrawStatus, Environment } from '../generated/prisma/enums.ts'
import { type Html, html, momentHtml } from './html.ts'
import type { Notice } from './page.ts'

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
}

const money = ({ amountCents, currency }: Amount) =>
  (amountCents / 100).toLocaleString('en', { style: 'currency', currency })

/** Whole percent of a rate, rounded down but without floating-point noise: 29 of 100 is 29 %. */
const percentOf = (rate: number) => Math.floor(100 * rate + 1e-9)

const status = (draw: DrawOfPage): { word: string; text: Html } => {
  switch (draw.status) {
    case 'SCHEDULED':
      return { word: 'Coming', text: html`Opens on ${momentHtml(draw.opensAt)}.` }
    case 'OPEN':
      return { word: 'Open', text: html`Takes tickets until ${momentHtml(draw.closesAt)}.` }
    case 'CLOSED':
      return {
        word: 'Closed',
        text: html`No more tickets. The numbers are drawn on ${momentHtml(draw.drawsAt)}.`,
      }
    case 'DRAWING':
      return {
        word: 'Drawing',
        text: html`The numbers are drawn. ${percentOf(draw.settledRate)} % of the tickets have been checked.`,
      }
    case 'COMPLETED':
      return { word: 'Drawn', text: html`Drawn on ${momentHtml(draw.drawnAt ?? draw.drawsAt)}.` }
    case 'CANCELLED':
      return { word: 'Called off', text: html`This draw did not take place.` }
  }
}

const balls = (draw: DrawOfPage) => html`<div class="balls" role="group" aria-label="Numbers drawn">
  ${draw.mainNumbers.map((number) => html`<span class="ball">${number}</span>`)}
  ${draw.bonusNumbers.length > 0 && html`<span class="plus" aria-hidden="true">+</span>`}
  ${draw.bonusNumbers.map((number) => html`<span class="ball bonus"><span class="hidden">Bonus number </span>${number}</span>`)}
</div>`

const prize = ({ amount, potShareBasisPoints }: PricedTier, pot: Amount) => {
  if (amount) return money(amount)
  const share = potShareBasisPoints ?? 0
  const shared = { ...pot, amountCents: Math.floor((pot.amountCents * share) / 10_000) }
  return html`${share / 100} % of the pot<small>${money(shared)}, shared</small>`
}

const needed = ({ mainMatches: main, bonusMatches: bonus }: PricedTier) =>
  [main > 0 && `${main}`, bonus > 0 && `${bonus} bonus`].filter(Boolean).join(' + ')

const prizes = (draw: DrawOfPage) => {
  const { pot } = draw
  const results = draw.payout && draw.tiers
  return html`<section>
  <h2>Prizes</h2>
  <div class="scroll"><table>
    <thead><tr><th>Prize</th><th>Matches</th><th class="right">Each line wins</th>${results && html`<th class="right">Winners</th><th class="right">Paid</th>`}</tr></thead>
    <tbody>${draw.rules.tiers.map(
      (tier, i) =>
        html`<tr><th scope="row">${tier.name}</th><td data-label="Matches">${needed(tier)}</td><td class="right">${prize(tier, pot)}</td>${
          results &&
          html`<td class="right" data-label="Winners">${results[i]?.winnerCount.toLocaleString('en')}</td><td class="right" data-label="Paid">${money(results[i]?.payout ?? { ...pot, amountCents: 0 })}</td>`
        }</tr>`,
    )}</tbody>
  </table></div>
  <p class="note">A line wins the best prize it reaches. ${!draw.rules.jackpot && 'A share of the pot is split among its winning lines to the cent; what does not divide goes, a cent each, to the first of them. '}${draw.payout && html`Paid in all: <b>${money(draw.payout)}</b>.`}</p>
</section>`
}

const facts = (draw: DrawOfPage) => html`<dl class="facts">
  <div><dt>Tickets</dt><dd>${draw.ticketCount.toLocaleString('en')}</dd></div>
  ${
    draw.rules.jackpot
      ? html`<div><dt>Jackpot</dt><dd>${money(draw.rules.jackpot)}</dd></div>`
      : html`<div><dt>Pot</dt><dd>${draw.finalRules ? money(draw.pot) : '—'}</dd></div>`
  }
  <div><dt>${draw.status === 'COMPLETED' ? 'Paid' : 'Closes'}</dt><dd>${draw.payout ? money(draw.payout) : momentHtml(draw.closesAt)}</dd></div>
</dl>`

/** The answer about a ticket for a browser that cannot verify it. */
const answerAbout = (position: number | null | undefined) =>
  position
    ? html`<p>The list has this ticket at place ${position}. To check that, and what it won, allow JavaScript for this page, or use the proof below.</p>`
    : html`<p class="result bad">This draw has no ticket of that reference.</p>`

const checkForm = (draw: DrawOfPage, asked: string | null) => html`<section id="check">
  <h2>Check a ticket</h2>
  ${
    draw.root
      ? html`<p>Your browser does the arithmetic itself: that the ticket is in the list that was sealed when the draw closed, that the numbers follow from it, and what it won. The program that does so comes from this server; to use none of it, check the proof <a href="#proof">on your own machine</a>.</p>
  <form method="get" action="/draws/${draw.uuid}#check" data-draw="${draw.uuid}">
    <label for="ticket">Ticket reference</label>
    <div class="row"><input id="ticket" name="ticket" value="${asked}" placeholder="LX-2026-1121-7K2P" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
    <button>Check</button></div>
    <details><summary>Is it mine?</summary>
      <p>The list names nobody. Who gave you the ticket can tell you its salt; with it, and what you entered with, your browser can see that the ticket is yours. Neither is sent anywhere.</p>
      <label for="holder">User id or e-mail address</label><input id="holder" autocomplete="off">
      <label for="salt">Salt</label><input id="salt" autocomplete="off" spellcheck="false">
    </details>
  </form>
  <div id="outcome" role="status" aria-live="polite">${asked !== null && answerAbout(draw.ticketPosition)}</div>`
      : html`<p>Once the draw has closed, you can check here that your ticket is in it.</p>`
  }
</section>`

const step = (title: string, text: Html, value: string | null, later: string) => html`<li>
    <h3>${title}</h3><p>${text}</p>
    ${value ? html`<code>${value}</code>` : html`<p class="later">${later}</p>`}
  </li>`

/** The limits of the proof. For the rest, players must trust the operator, and the page tells them so. */
const limits = html`<h2>What this proves, and what it does not</h2>
  <div class="limits">
  <div class="proved"><h3>Proved</h3>
  <ul>
    <li>The seed was chosen before the first ticket and not exchanged.</li>
    <li>The numbers follow from this seed and this list of tickets, and from nothing else.</li>
    <li>No ticket was changed, added or removed after the draw had closed.</li>
    <li>The prizes follow from the rules published when the draw opened.</li>
  </ul></div>
  <div class="trusted"><h3>Not proved</h3>
  <ul>
    <li><b>That nobody knew the seed early.</b> It is stored encrypted until the draw, but whoever controls this server, its database and its master key can read it while tickets are still being sold. They could work out in secret which extra ticket leads to numbers that suit them, and enter that one. The list would show nothing unusual.</li>
    <li><b>That these values were published in time.</b> Write down the first one while the draw is open and the second once it has closed. Later, nobody can prove to you that they have not changed.</li>
  </ul></div>
  </div>
  <p>For these two points you rely on whoever runs this server.</p>`

/** A longer list is not part of the proof. */
const longestInProof = 10_000

const howTo = (draw: DrawOfPage) => {
  const isLong = draw.listedCount > longestInProof
  return html`<section>
  <h2>How the numbers come about</h2>
  <ol class="steps">
  ${step('Before the first ticket: a promise', html`A secret seed was chosen, and its fingerprint (SHA-256) published. Nobody can find another seed with the same one.`, draw.commitment, 'Published when the draw opens.')}
  ${step('At closing: the tickets are sealed', html`All tickets together have one fingerprint (a Merkle root). If one ticket is changed, added or removed, it is another.`, draw.root, 'Published when the draw has closed.')}
  ${step('At the draw: the seed is revealed', html`Everybody can see that it is the one that was promised. The numbers follow from seed and tickets by a fixed calculation.`, draw.seed, 'Revealed with the numbers.')}
  </ol>
  ${limits}
  ${
    draw.root &&
    html`<p id="proof">To check what is proved on your own machine, offline, take the <a href="/draws/${draw.uuid}/proof.json" download>proof</a>${isLong ? ' and ' : ' (it holds the list of tickets, too; here it is as '}<a href="/draws/${draw.uuid}/tickets.txt">${isLong ? 'the list of tickets' : 'a text file'}</a>${isLong ? '' : ')'} and run:</p>
  <pre><code>node verify-draw.ts proof.json${isLong ? ' tickets.txt' : ''}</code></pre>
  <p><a href="/docs/verify-draw.ts" download>verify-draw.ts</a> is one file that uses nothing of this server; it runs on <a href="https://nodejs.org">Node</a> 24. <a href="/docs/verify-a-draw">What it checks</a> is written down, so that anybody can write another.</p>`
  }
</section>`
}

/** @param asked the reference of a ticket that was asked for without JavaScript */
export const drawPage = (draw: DrawOfPage, asked: string | null = null): string => {
  const { word, text } = status(draw)
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${draw.lotteryName}, draw ${draw.number}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/draws/page.css">
<link rel="stylesheet" href="/draws/check.css">
<link rel="stylesheet" href="/draws/proof.css">
<script src="/draws/check.js" type="module"></script>
</head>
<body>
<main>
<header>
  <p class="kicker">Draw ${draw.number}<span class="badge ${draw.status.toLowerCase()}">${word}</span>${draw.environment === 'TEST' && html`<span class="badge test">Test: no real prizes</span>`}</p>
  <h1>${draw.lotteryName}</h1>
  ${draw.mainNumbers.length > 0 && balls(draw)}
  <p class="lead">${text}</p>
  ${draw.status !== 'CANCELLED' && facts(draw)}
</header>
${checkForm(draw, asked)}
${prizes(draw)}
${howTo(draw)}
<footer>Draw <code>${draw.uuid}</code></footer>
</main>
</body>
</html>`.text
  }\n`
}

export const drawNoticePage = (status: number, [title, text]: Notice): string =>
  `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/draws/page.css"></head>
<body><main><header><p class="kicker">${status}</p><h1>${title}</h1><p class="lead">${text}</p></header></main></body></html>`
      .text
  }\n`
