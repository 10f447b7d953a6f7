/** The page of a campaign, as HTML. */
import { campaignStyle } from './campaign-style.ts'
import { Html, html, momentHtml } from './html.ts'
import { hueOf, mosaic } from './mosaic.ts'

/** The data of the page: the answer of its query. */
export type CampaignView = {
  name: string
  description: string | null
  partnerName: string
  environment: 'TEST' | 'LIVE'
  phase: 'UPCOMING' | 'ACTIVE' | 'PAUSED' | 'ENDED'
  startsAt: string | null
  endsAt: string | null
  eventRules: { eventType: string; points: number }[]
  prizes: { name: string; points: number; maxWins: number; remainingCount: number }[]
  referrerPoints: number | null
  takesCodes: boolean
  needsUserToken: boolean
  leaders: { rank: number; name: string; campaignPoints: number }[]
  participantCount: number
}

/** What the visitor entered, and the result. */
export type Redemption = {
  userId: string
  /** Whether the id comes from a token, so that the visitor enters none. */
  isKnown: boolean
  code: string
  /** The user of a link, to whom the visitor has not agreed yet. */
  nextUserId?: string
  result?: { good: boolean; title: string; text: string }
}

const number = (value: number) => value.toLocaleString('en-GB')
const points = (value: number) => `${number(value)} ${value === 1 ? 'point' : 'points'}`

const phases = {
  UPCOMING: 'Starts soon',
  ACTIVE: 'Running now',
  PAUSED: 'Taking a break',
  ENDED: 'Ended',
}

/** `daily_login` → `Daily login` */
const words = (eventType: string) => {
  const text = eventType.replace(/[_-]+/g, ' ').trim() || eventType
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `nonce` is that of the embedding page, if any. */
const page = (title: string, hueClass: string, body: Html, nonce?: string): string =>
  html`<!doctype html>
<html lang="en" class="${hueClass}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style${nonce && html` nonce="${nonce}"`}>${new Html(campaignStyle)}</style>
</head>
<body>
${body}
</body>
</html>
`.text

const hero = (view: CampaignView, seed: string) => html`<header class="hero">
${mosaic(seed)}<div class="shade"></div>
<div class="wrap">
  <div class="top"><span>${view.partnerName}</span>${
    view.environment === 'TEST' && html`<span class="badge">Test: no real rewards</span>`
  }</div>
  <div class="title">
    <span class="pill ${view.phase}">${phases[view.phase]}</span>
    <h1>${view.name}</h1>
    ${view.description && html`<p class="lead">${view.description}</p>`}
    <div class="facts">
      ${view.participantCount > 0 && html`<span><b>${number(view.participantCount)}</b> taking part</span>`}
      ${view.phase === 'UPCOMING' && view.startsAt && html`<span>Starts <b>${momentHtml(view.startsAt)}</b></span>`}
      ${view.endsAt && html`<span>${view.phase === 'ENDED' ? 'Ended' : 'Ends'} <b>${momentHtml(view.endsAt)}</b></span>`}
    </div>
  </div>
</div>
</header>`

const resultOf = ({ result }: Redemption) =>
  result &&
  html`<div class="result ${result.good ? 'good' : 'bad'}" role="${result.good ? 'status' : 'alert'}" id="result"><b>${result.title}</b>${result.text}</div>`

const userField = ({ userId, isKnown }: Redemption, { partnerName }: CampaignView) =>
  isKnown
    ? html`<p class="known">For <b>${userId}</b></p><input type="hidden" name="visitor" value="${userId}">`
    : html`<div class="field">
      <label for="userId">Your user id</label>
      <input id="userId" name="userId" value="${userId}" required maxlength="255" autocapitalize="none" spellcheck="false" autocomplete="username" aria-describedby="userId-hint">
      <span class="hint" id="userId-hint">As ${partnerName} knows you. The points go to this account, so check it.</span>
    </div>`

const redeemForm = (view: CampaignView, redemption: Redemption, action: string) => html`
  <form method="post" action="${action}" autocomplete="off">
    ${userField(redemption, view)}
    <div class="field">
      <label for="code">Code</label>
      <input id="code" name="code" value="${redemption.code}" required maxlength="255" autocapitalize="characters" spellcheck="false" autocomplete="off" aria-describedby="code-hint">
      <span class="hint" id="code-hint">From your voucher, or the win code of a prize. Each code works once.</span>
    </div>
    <button>Redeem</button>
  </form>`

/** Why there is no form; null if there is one. */
const obstacleOf = (view: CampaignView, { isKnown }: Redemption): string | null => {
  if (!view.takesCodes) return closedText(view)
  return view.needsUserToken && !isKnown
    ? `To redeem a code, open this page from the app or the website of ${view.partnerName}. Then your points go to the right account.`
    : null
}

/** Asks before codes are redeemed for the user of a link. */
const changeCard = ({ userId, isKnown, nextUserId }: Redemption, action: string) => html`
<section class="card side" aria-labelledby="redeem">
  <h2 id="redeem">Redeem codes for another user?</h2>
  <p class="sub">The link that you opened belongs to this user. If you change, the points of your codes go to them.</p>
  <p class="known">From the link: <b>${nextUserId}</b></p>
  ${isKnown && html`<p class="known">Until now: <b>${userId}</b></p>`}
  <form method="post" action="${action}">
    <input type="hidden" name="visitor" value="${nextUserId}">
    <button name="answer" value="stay">Do not change</button>
    <button name="answer" value="change" class="second">Change to ${nextUserId}</button>
  </form>
</section>`

const redeemCard = (view: CampaignView, redemption: Redemption, action: string) => {
  if (redemption.nextUserId !== undefined) return changeCard(redemption, action)
  const obstacle = obstacleOf(view, redemption)
  return html`
<section class="card side" aria-labelledby="redeem">
  <h2 id="redeem">Redeem a code</h2>
  ${resultOf(redemption)}
  ${obstacle ? html`<p class="sub">${obstacle}</p>` : redeemForm(view, redemption, action)}
</section>`
}

const closedText = ({ phase }: CampaignView) =>
  ({
    UPCOMING: 'Codes can be redeemed once the campaign has started.',
    ACTIVE: 'There are no codes to redeem at the moment.',
    PAUSED: 'The campaign is taking a break. Keep your code: it can be redeemed when it goes on.',
    ENDED: 'The campaign is over. Codes can no longer be redeemed.',
  })[phase]

const prizeCard = ({ prizes, phase }: CampaignView) =>
  prizes.length > 0 &&
  html`<section class="card" aria-labelledby="prizes">
  <h2 id="prizes">Prizes</h2>
  <ul class="prizes">${prizes.map(
    (prize, i) => html`<li class="${prize.remainingCount === 0 && 'gone'}">
    <div class="name"><b id="prize${i}">${prize.name}</b><span class="points">${points(prize.points)}</span></div>
    <progress value="${prize.remainingCount}" max="${Math.max(prize.maxWins, 1)}" aria-labelledby="prize${i}">${prize.remainingCount}</progress>
    <div class="left"><span>${
      prize.remainingCount === 0
        ? 'All won'
        : `${number(prize.remainingCount)} of ${number(prize.maxWins)} ${phase === 'ENDED' ? 'were left' : 'left'}`
    }</span></div>
  </li>`,
  )}</ul>
</section>`

const waysCard = ({ eventRules, referrerPoints, phase }: CampaignView) => {
  if (phase === 'ENDED') return null
  const lines = [
    ...eventRules.map((rule) => ({ text: words(rule.eventType), points: rule.points })),
    ...(referrerPoints ? [{ text: 'Bring a friend', points: referrerPoints }] : []),
  ].sort((a, b) => b.points - a.points)
  return (
    lines.length > 0 &&
    html`<section class="card" aria-labelledby="ways">
  <h2 id="ways">Ways to earn points</h2>
  <ul class="ways">${lines.map(
    (line) =>
      html`<li><span>${line.text}</span><span class="points">+${number(line.points)}</span></li>`,
  )}</ul>
</section>`
  )
}

const leaderCard = ({ leaders, phase }: CampaignView) => html`
<section class="card" aria-labelledby="leaders">
  <h2 id="leaders">Top ten</h2>
  ${
    leaders.length === 0
      ? html`<p class="sub">${phase === 'ENDED' ? 'Nobody earned points.' : 'Nobody has points yet. Be the first.'}</p>`
      : html`<ol class="board">${leaders.map(
          ({ rank, name, campaignPoints }) =>
            html`<li><span class="rank">${rank}</span><span class="who">${name}</span><span class="points">${number(campaignPoints)}</span></li>`,
        )}</ol>`
  }
</section>`

/** The page. `seed` determines its picture, `action` is the target of its form. */
export const campaignPage = (
  view: CampaignView,
  redemption: Redemption,
  { seed, action, nonce }: { seed: string; action: string; nonce?: string },
): string =>
  page(
    `${view.name} – ${view.partnerName}`,
    `hue${hueOf(seed)}`,
    html`${hero(view, seed)}
<main class="wrap">
${redeemCard(view, redemption, action)}
<div class="body">
${prizeCard(view)}
${waysCard(view)}
${leaderCard(view)}
</div>
</main>
<footer class="wrap">A campaign by ${view.partnerName}. Names are shortened where no display name is set.</footer>`,
    nonce,
  )

/** A page with only a message: what was looked for does not exist, or something went wrong. */
export const campaignNoticePage = (title: string, text: string | Html): string =>
  page(
    title,
    'hue240',
    html`<main class="wrap lost"><div><h1>${title}</h1><p class="sub">${text}</p></div></main>`,
  )
