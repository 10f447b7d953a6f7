/** The card of a reward in the shop. */
import { html, nothing, type TemplateResult } from 'lit'
import { coin } from './coin.ts'
import { clock, noteOf } from './goal-card.ts'
import { rewardArt } from './reward-art.ts'
import { type Availability, type SoldReward, whenOf } from './reward-data.ts'
import type { ShopTexts } from './shop-texts.ts'
import { type Say, words } from './texts.ts'

const limits: Record<NonNullable<SoldReward['limit']>['window'], keyof ShopTexts> = {
  EVER: 'limitEver',
  DAY: 'limitDay',
  WEEK: 'limitWeek',
  MONTH: 'limitMonth',
}

/** The id of the heading of a reward. */
export const headingOf = ({ uuid }: SoldReward) => `reward-${uuid}`

const whenText = (say: Say, key: 'fromWhen' | 'againWhen' | 'forSaleUntil', at: string) => {
  const full = say.date(at, { dateStyle: 'full', timeStyle: 'short' })
  const text = say.text(key, { when: whenOf(say, at) })
  return html`<time datetime=${at} title=${full}>${text}</time>`
}

/** Why the user cannot buy it now. */
const whyNot = (
  say: Say,
  { limit }: SoldReward,
  { reason, missingPoints, nextAt }: Availability,
) => {
  switch (reason) {
    case 'INSUFFICIENT_POINTS':
      return say.counted('short', missingPoints)
    case 'NOT_STARTED':
      return nextAt ? whenText(say, 'fromWhen', nextAt) : say.text('notForSale')
    case 'LIMIT_REACHED':
      if (nextAt) return whenText(say, 'againWhen', nextAt)
      return say.text(limit?.max === 1 ? 'onceOnly' : 'limitReached')
    case 'OUT_OF_STOCK':
      return say.text('soldOut')
    case 'NOT_ELIGIBLE':
      return say.text('notForYou')
    default:
      return say.text('notForSale')
  }
}

/** What it gives, how often it can be bought, and until when. */
const notesOf = (say: Say, { freePlays, limit, endsAt }: SoldReward) => [
  freePlays ? noteOf(nothing, say.counted('freePlays', freePlays.count)) : nothing,
  limit ? noteOf(nothing, say.text(limits[limit.window], { count: limit.max })) : nothing,
  endsAt ? noteOf(clock, whenText(say, 'forSaleUntil', endsAt)) : nothing,
]

/** How much of the price the user has, and what is missing. */
const savings = (say: Say, { price }: SoldReward, missingPoints: number) =>
  html`<div class="bar" aria-hidden="true" .style=${`--_rate:${Math.max(0, price - missingPoints) / price}`}><span class="fill"></span></div>
    <p class="why">${say.counted('short', missingPoints)}</p>`

type CardParts = {
  /** Undefined for a visitor. */
  availability: Availability | undefined
  /** The button, the question, or what takes their place. */
  action: TemplateResult | typeof nothing
  /** The text of the last action. */
  said: string
  /** Whether it was just bought. */
  isFresh: boolean
  /** What moves over it. */
  confetti: TemplateResult | typeof nothing
}

/** An item of the shop. */
export const shopCard = (say: Say, reward: SoldReward, parts: CardParts): TemplateResult => {
  const { availability, action, said, isFresh, confetti } = parts
  const isClosed = availability && !availability.canBuy
  const isPoor = isClosed && availability.reason === 'INSUFFICIENT_POINTS'
  const look = isPoor ? 'poor' : isClosed ? 'closed' : ''
  return html`<li class="reward ${look} ${isFresh ? 'fresh' : ''}" part="reward">
    ${rewardArt(reward, reward.freePlays?.gameType ?? null)}
    <div class="text">
      <h3 id=${headingOf(reward)} tabindex="-1">${words(reward.name)}</h3>
      ${reward.description ? html`<p class="soft">${reward.description}</p>` : nothing}
      <div class="notes">${notesOf(say, reward)}</div>
      ${said ? html`<p class="said" aria-hidden="true">${said}</p>` : nothing}
      <div class="foot">
        <p class="price" part="price">${coin}<b class="number">${say.points(reward.price)}</b></p>
        ${action}
        ${
          isPoor
            ? savings(say, reward, availability.missingPoints)
            : isClosed
              ? html`<p class="why">${whyNot(say, reward, availability)}</p>`
              : nothing
        }
      </div>
    </div>
    ${confetti}
  </li>`
}
