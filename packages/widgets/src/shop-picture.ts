/** The card of a reward as the shop shows it, for the console. */
import { adoptStyles, css, html, nothing, render } from 'lit'
import { noteOf } from './goal-card.ts'
import { rewardArt } from './reward-art.ts'
import type { Availability, SoldReward } from './reward-data.ts'
import { shopCard } from './shop-card.ts'
import { shopStyles } from './shop-styles.ts'
import './shop-texts.ts'
import { createSay, type Say, words } from './texts.ts'
import { theme } from './theme.ts'

type ShownReward = Omit<SoldReward, 'price'> & {
  /** Null if it is not for sale. */
  price: number | null
}

export type RewardPicture = { of: ShownReward; availability: Availability }

const pictureStyles = css`
  .shelf {
    margin: 0;
  }
  .foot > .button {
    margin-inline-start: auto;
  }
`

const worthOf = (say: Say, { points, freePlays }: ShownReward) => {
  if (points !== null) return noteOf(nothing, say.points(points))
  return freePlays ? noteOf(nothing, say.counted('freePlays', freePlays.count)) : nothing
}

/** What is not for sale has no price and no button. */
const givenCard = (say: Say, reward: ShownReward) => html`<li class="reward">
  ${rewardArt(reward, reward.freePlays?.gameType ?? null)}
  <div class="text">
    <h3>${words(reward.name)}</h3>
    ${reward.description ? html`<p class="soft">${reward.description}</p>` : nothing}
    <div class="notes">${worthOf(say, reward)}</div>
  </div>
</li>`

/** Draws a card in an element, or draws it again. Its button does nothing. */
export const drawReward = (host: HTMLElement, { of, availability }: RewardPicture): void => {
  const say = createSay('en')
  const { price } = of
  const action = availability.canBuy
    ? html`<span class="button">${say.text('buy')}</span>`
    : nothing
  const parts = { availability, action, said: '', isFresh: false, confetti: nothing } as const
  let root = host.shadowRoot
  if (!root) {
    root = host.attachShadow({ mode: 'open' })
    adoptStyles(root, [theme, shopStyles, pictureStyles])
  }
  const card = price === null ? givenCard(say, of) : shopCard(say, { ...of, price }, parts)
  render(html`<ul class="shelf">${card}</ul>`, root)
}
