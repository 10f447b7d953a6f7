/** The page of a campaign, as HTML. */
import type { PageLanguage } from '../generated/prisma/enums.ts'
import { campaignStyle } from './campaign-style.ts'
import { Html, html } from './html.ts'
import { mosaic } from './mosaic.ts'
import { type Look, lookOf, type PageBrand, styleOfLook, termsOf } from './page-look.ts'
import { type Say, textsIn } from './texts/page-texts.ts'

/** The data of the page: the answer of its query. */
export type CampaignView = {
  name: string
  description: string | null
  partnerName: string
  /** The time zone of the partner. */
  timeZone: string
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
  brand: PageBrand
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

const phases = {
  UPCOMING: 'upcoming',
  ACTIVE: 'active',
  PAUSED: 'paused',
  ENDED: 'ended',
} as const

/** `daily_login` → `Daily login` */
const words = (eventType: string) => {
  const text = eventType.replace(/[_-]+/g, ' ').trim() || eventType
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A theme for a preview; the page itself follows the browser. */
type Theme = 'light' | 'dark'

const styleIn = (theme?: Theme) =>
  theme
    ? campaignStyle
        .replace('color-scheme:light dark', `color-scheme:${theme}`)
        .replace('(prefers-color-scheme:dark)', theme === 'dark' ? 'all' : 'not all')
    : campaignStyle

type Frame = { title: string; lang: string; look: Look; theme?: Theme | undefined }

/** `nonce` is that of the embedding page, if any. */
const page = ({ title, lang, look, theme }: Frame, body: Html, nonce?: string): string => {
  const style = (text: string) =>
    html`<style${nonce && html` nonce="${nonce}"`}>${new Html(text)}</style>`
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${style(styleOfLook(look))}
${style(styleIn(theme))}
</head>
<body>
${body}
</body>
</html>
`.text
}

/** The picture of the brand or, without one, tiles derived from the slug. */
const backdrop = ({ imageUrl }: PageBrand, seed: string, look: Look) =>
  imageUrl ? html`<img class="picture" src="${imageUrl}" alt="">` : mosaic(seed, look)

const hero = (view: CampaignView, say: Say, seed: string, look: Look) => html`<header class="hero">
${backdrop(view.brand, seed, look)}<div class="shade"></div>
<div class="wrap">
  <div class="top">${
    view.brand.logoUrl
      ? html`<img class="logo" src="${view.brand.logoUrl}" alt="${view.partnerName}">`
      : html`<span>${view.partnerName}</span>`
  }${view.environment === 'TEST' && html`<span class="badge">${say.text('testCampaign')}</span>`}</div>
  <div class="title">
    <span class="pill ${view.phase}">${say.text(phases[view.phase])}</span>
    <h1>${view.name}</h1>
    ${view.description && html`<p class="lead">${view.description}</p>`}
    <div class="facts">
      ${view.participantCount > 0 && html`<span>${say.html(say.keyFor('takingPart', view.participantCount), { count: html`<b>${say.number(view.participantCount)}</b>` })}</span>`}
      ${view.phase === 'UPCOMING' && view.startsAt && html`<span>${say.html('startsAt', { at: html`<b>${say.moment(view.startsAt)}</b>` })}</span>`}
      ${view.endsAt && html`<span>${say.html(view.phase === 'ENDED' ? 'endedAt' : 'endsAt', { at: html`<b>${say.moment(view.endsAt)}</b>` })}</span>`}
    </div>
  </div>
</div>
</header>`

const resultOf = ({ result }: Redemption) =>
  result &&
  html`<div class="result ${result.good ? 'good' : 'bad'}" role="${result.good ? 'status' : 'alert'}" id="result"><b>${result.title}</b>${result.text}</div>`

const bold = (text: string) => html`<b>${text}</b>`

const userField = ({ userId, isKnown }: Redemption, { partnerName }: CampaignView, say: Say) =>
  isKnown
    ? html`<p class="known">${say.html('forUser', { user: bold(userId) })}</p><input type="hidden" name="visitor" value="${userId}">`
    : html`<div class="field">
      <label for="userId">${say.text('userId')}</label>
      <input id="userId" name="userId" value="${userId}" required maxlength="255" autocapitalize="none" spellcheck="false" autocomplete="username" aria-describedby="userId-hint">
      <span class="hint" id="userId-hint">${say.text('userIdHint', { partner: partnerName })}</span>
    </div>`

const redeemForm = (view: CampaignView, redemption: Redemption, say: Say, action: string) => html`
  <form method="post" action="${action}" autocomplete="off">
    ${userField(redemption, view, say)}
    <div class="field">
      <label for="code">${say.text('code')}</label>
      <input id="code" name="code" value="${redemption.code}" required maxlength="255" autocapitalize="characters" spellcheck="false" autocomplete="off" aria-describedby="code-hint">
      <span class="hint" id="code-hint">${say.text('codeHint')}</span>
    </div>
    <button>${say.text('redeem')}</button>
  </form>`

/** Why there is no form; null if there is one. */
const obstacleOf = (view: CampaignView, { isKnown }: Redemption, say: Say): string | null => {
  if (!view.takesCodes) return say.text(closedTexts[view.phase])
  return view.needsUserToken && !isKnown
    ? say.text('openFromApp', { partner: view.partnerName })
    : null
}

/** Asks before codes are redeemed for the user of a link. */
const changeCard = (
  { userId, isKnown, nextUserId = '' }: Redemption,
  say: Say,
  action: string,
) => html`
<section class="card side" aria-labelledby="redeem">
  <h2 id="redeem">${say.text('otherUserTitle')}</h2>
  <p class="sub">${say.text('otherUserText')}</p>
  <p class="known">${say.html('fromLink', { user: bold(nextUserId) })}</p>
  ${isKnown && html`<p class="known">${say.html('untilNow', { user: bold(userId) })}</p>`}
  <form method="post" action="${action}">
    <input type="hidden" name="visitor" value="${nextUserId}">
    <button name="answer" value="stay">${say.text('doNotChange')}</button>
    <button name="answer" value="change" class="second">${say.text('changeTo', { user: nextUserId })}</button>
  </form>
</section>`

const redeemCard = (view: CampaignView, redemption: Redemption, say: Say, action: string) => {
  if (redemption.nextUserId !== undefined) return changeCard(redemption, say, action)
  const obstacle = obstacleOf(view, redemption, say)
  return html`
<section class="card side" aria-labelledby="redeem">
  <h2 id="redeem">${say.text('redeemTitle')}</h2>
  ${resultOf(redemption)}
  ${obstacle ? html`<p class="sub">${obstacle}</p>` : redeemForm(view, redemption, say, action)}
</section>`
}

const closedTexts = {
  UPCOMING: 'closedUpcoming',
  ACTIVE: 'closedActive',
  PAUSED: 'closedPaused',
  ENDED: 'closedEnded',
} as const

const prizeCard = ({ prizes, phase }: CampaignView, say: Say) => {
  const leftOf = ({ remainingCount: left, maxWins: all }: CampaignView['prizes'][number]) =>
    left === 0
      ? say.text('allWon')
      : say.text(phase === 'ENDED' ? 'wereLeft' : 'left', { left, all })
  return (
    prizes.length > 0 &&
    html`<section class="card" aria-labelledby="prizes">
  <h2 id="prizes">${say.text('prizes')}</h2>
  <ul class="prizes">${prizes.map(
    (prize, i) => html`<li class="${prize.remainingCount === 0 && 'gone'}">
    <div class="name"><b id="prize${i}">${prize.name}</b><span class="points">${say.points(prize.points)}</span></div>
    <progress value="${prize.remainingCount}" max="${Math.max(prize.maxWins, 1)}" aria-labelledby="prize${i}">${prize.remainingCount}</progress>
    <div class="left"><span>${leftOf(prize)}</span></div>
  </li>`,
  )}</ul>
</section>`
  )
}

const waysCard = ({ eventRules, referrerPoints, phase }: CampaignView, say: Say) => {
  if (phase === 'ENDED') return null
  const lines = [
    ...eventRules.map((rule) => ({ text: words(rule.eventType), points: rule.points })),
    ...(referrerPoints ? [{ text: say.text('bringFriend'), points: referrerPoints }] : []),
  ].sort((a, b) => b.points - a.points)
  return (
    lines.length > 0 &&
    html`<section class="card" aria-labelledby="ways">
  <h2 id="ways">${say.text('ways')}</h2>
  <ul class="ways">${lines.map(
    (line) =>
      html`<li><span>${line.text}</span><span class="points">+${say.number(line.points)}</span></li>`,
  )}</ul>
</section>`
  )
}

const leaderCard = ({ leaders, phase }: CampaignView, say: Say) => html`
<section class="card" aria-labelledby="leaders">
  <h2 id="leaders">${say.text('topTen')}</h2>
  ${
    leaders.length === 0
      ? html`<p class="sub">${say.text(phase === 'ENDED' ? 'nobodyEarned' : 'nobodyYet')}</p>`
      : html`<ol class="board">${leaders.map(
          ({ rank, name, campaignPoints }) =>
            html`<li><span class="rank">${rank}</span><span class="who">${name}</span><span class="points">${say.number(campaignPoints)}</span></li>`,
        )}</ol>`
  }
</section>`

type Options = {
  /** Determines the tiles and, without a color of the brand, the colors. */
  seed: string
  /** The target of the form. */
  action: string
  /** Of the page that shows a preview. */
  nonce?: string
  theme?: Theme
}

/** The style with the colors of a campaign, for the Content-Security-Policy. */
export const lookStyleOf = ({ brand }: CampaignView, seed: string): string =>
  styleOfLook(lookOf(brand.color, seed))

export const campaignPage = (
  view: CampaignView,
  redemption: Redemption,
  { seed, action, nonce, theme }: Options,
): string => {
  const { brand, name, partnerName, timeZone } = view
  const say = textsIn(brand.language, timeZone)
  const look = lookOf(brand.color, seed)
  return page(
    { title: `${name} – ${partnerName}`, lang: say.tag, look, theme },
    html`${hero(view, say, seed, look)}
<main class="wrap">
${redeemCard(view, redemption, say, action)}
<div class="body">
${prizeCard(view, say)}
${waysCard(view, say)}
${leaderCard(view, say)}
</div>
</main>
<footer class="wrap"><p>${say.text('campaignBy', { promoter: brand.promoter ?? partnerName })}</p>${termsOf(brand, say)}</footer>`,
    nonce,
  )
}

const noticeLook = lookOf(null, 'notice')

export const noticeLookStyle: string = styleOfLook(noticeLook)

/**
 * A page with only a message: what was looked for does not exist, or something went wrong.
 * @param code what the message is about in short, such as the status
 */
export const campaignNoticePage = (
  title: string,
  text: string | Html,
  code: string | number,
  language: PageLanguage,
) =>
  page(
    { title, lang: textsIn(language).tag, look: noticeLook },
    html`<main class="hero notice">${mosaic('notice', noticeLook)}<div class="shade"></div>
<div class="wrap"><p class="code">${code}</p><h1>${title}</h1><p class="lead">${text}</p></div></main>`,
  )
