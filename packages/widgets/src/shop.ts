/** `<tessera-shop>`: rewards for points, what the user can buy, and why not. */
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { burst } from './burst.ts'
import { coin } from './coin.ts'
import { prefersReducedMotion } from './motion.ts'
import { Problem } from './problem.ts'
import {
  type Availability,
  availabilityOf,
  buyReward,
  type Items,
  readShop,
  type SoldReward,
} from './reward-data.ts'
import { RewardElement } from './reward-element.ts'
import type { Session } from './session.ts'
import { headingOf, shopCard } from './shop-card.ts'
import { shopStyles } from './shop-styles.ts'
import './shop-texts.ts'
import type { ShopTexts } from './shop-texts.ts'
import { words } from './texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

/** Rewards that are shown at once. */
const pageSize = 24

/** Answers that say that nothing was bought. */
const refusals: Record<string, keyof ShopTexts> = {
  REWARD_NOT_FOUND: 'notForSale',
  REWARD_NOT_FOR_SALE: 'notForSale',
  NOT_ELIGIBLE: 'notForYou',
  LIMIT_REACHED: 'limitReached',
  OUT_OF_STOCK: 'soldOut',
}
const poor = new Set(['INSUFFICIENT_POINTS', 'USER_NOT_FOUND'])

const boughtTexts: Record<string, keyof ShopTexts> = {
  ITEM: 'boughtItem',
  CODE: 'boughtCode',
  FREE_PLAYS: 'boughtPlays',
}

/** A question whether to buy. All its attempts have one reference, so that they buy once. */
type Question = { rewardId: string; reference: string }

export class ShopElement extends RewardElement {
  static override styles = [theme, shopStyles]
  #shop: Items<SoldReward> | undefined
  #question: Question | undefined
  /** The reward that was just bought. */
  #fresh: string | undefined
  /** What the shop was read for. */
  #isBuyer = false
  #balance: number | undefined
  #grants = ''
  /** The number of reads that are under way. */
  #reading = 0

  protected override get follows(): readonly Part[] {
    return ['rewards']
  }
  protected override get isLoaded(): boolean {
    return this.#shop !== undefined
  }
  protected override clear(): void {
    this.#shop = undefined
    this.#question = undefined
    this.#fresh = undefined
    this.#grants = ''
    this.said = ''
  }

  protected override get nextChangeAt(): number {
    const items = this.#shop?.items ?? []
    const times = items.flatMap(({ availability, endsAt }) => [availability?.nextAt, endsAt])
    const ahead = times.map((at) => Date.parse(at ?? '')).filter((at) => at > this.readAt)
    return Math.min(...ahead)
  }

  protected override async read(session: Session): Promise<() => void> {
    const isBuyer = session.hasToken
    this.#reading++
    const [shop] = await Promise.all([
      readShop(session, Math.max(pageSize, this.#shop?.items.length ?? 0)),
      isBuyer && session.balance === undefined ? session.readUser() : undefined,
    ]).finally(() => {
      this.#reading--
    })
    return () => {
      this.#shop = shop
      this.#isBuyer = isBuyer
      this.#balance = session.balance
    }
  }

  protected override take({ balance, rewards }: UserState): boolean {
    const grants = rewards ? JSON.stringify(rewards.nodes) : this.#grants
    // The first state comes after the shop was read.
    const isSame = this.#grants === '' || grants === this.#grants
    this.#grants = grants
    // A state does not have what the shop reads, so a read that is under way is not dropped.
    return isSame && balance === this.#balance && this.#isBuyer && this.#reading === 0
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    // A page may set the token later.
    if (this.isLoaded && this.#isBuyer !== (this.session?.hasToken ?? false)) {
      this.#isBuyer = !this.#isBuyer
      this.readSoon(0, true)
    }
  }

  async #more(): Promise<void> {
    const { session } = this
    const shop = this.#shop
    if (!session || !shop?.after) return
    // A second click during a load does nothing.
    this.#shop = { ...shop, after: null }
    try {
      const { items, after } = await readShop(session, pageSize, shop.after)
      this.#shop = { items: [...shop.items, ...items], after }
    } catch (error) {
      this.#shop = shop
      if (error instanceof Problem) this.fail(error)
    }
    this.requestUpdate()
  }

  async #ask(reward: SoldReward): Promise<void> {
    if (this.isBusy) return
    this.#question = { rewardId: reward.uuid, reference: crypto.randomUUID() }
    this.said = ''
    this.requestUpdate()
    await this.updateComplete
    // Not its button, which a key that is held down would press.
    this.renderRoot.querySelector<HTMLElement>('.question')?.focus()
  }

  async #close(reward: SoldReward): Promise<void> {
    if (this.isBusy) return
    this.#question = undefined
    this.requestUpdate()
    await this.updateComplete
    const heading = this.shadowRoot?.getElementById(headingOf(reward))
    heading?.closest('li')?.querySelector('button')?.focus()
  }

  #buy(reward: SoldReward): Promise<void> {
    const { uuid: rewardId, kind } = reward
    return this.act(headingOf(reward), async (session) => {
      const reference = this.#question?.reference ?? crypto.randomUUID()
      try {
        const grantId = await buyReward(session, { rewardId, reference }, this.onWait)
        this.#question = undefined
        this.#celebrate(rewardId)
        const balance = session.balance ?? 0
        this.emit('buy', { reward, grantId, balance })
        const text = boughtTexts[kind] ?? 'bought'
        return this.say.text(text, { balance: this.say.points(balance) })
      } catch (error) {
        const code = error instanceof Problem ? error.code : ''
        // After any other error, the same purchase can be tried again.
        if (refusals[code] || poor.has(code)) this.#question = undefined
        throw error
      }
    })
  }

  protected override refusal(problem: Problem): string {
    const { say, session } = this
    const text = refusals[problem.code]
    if (text) return say.text(text)
    if (poor.has(problem.code)) {
      const reward = this.#shop?.items.find((item) => headingOf(item) === this.running)
      const price = say.points(reward?.price ?? 0)
      return say.text('notEnoughLong', { price, balance: say.points(session?.balance ?? 0) })
    }
    const explained = this.explain(problem)
    return explained === say.text('failed') ? say.text('buyFailed') : explained
  }

  #celebrate(rewardId: string): void {
    this.#fresh = rewardId
    if (prefersReducedMotion()) return
    this.requestUpdate()
    void this.updateComplete.then(() => {
      const canvas = this.renderRoot.querySelector('canvas')
      if (canvas) burst(canvas, 60)
    })
  }

  /** The button, the question, or what takes their place. */
  #action(reward: SoldReward, availability: Availability | undefined) {
    const { say } = this
    const price = say.points(reward.price)
    if (!availability) return html`<p class="when">${say.text('signInToBuy')}</p>`
    if (this.#question?.rewardId === reward.uuid) return this.#questionOf(reward)
    if (!availability.canBuy) return nothing
    return html`<button
      part="button"
      aria-label="${say.text('buy')}: ${words(reward.name)}, ${price}"
      @click=${() => void this.#ask(reward)}
    >${say.text('buy')}</button>`
  }

  #questionOf(reward: SoldReward): TemplateResult {
    const { say } = this
    const isRunning = this.running === headingOf(reward)
    const text = say.text('buyFor', { points: say.points(reward.price) })
    const left = (this.session?.balance ?? reward.price) - reward.price
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') void this.#close(reward)
    }
    // The second click of a double click is no answer to the question that the first one has asked.
    const onClick = ({ detail }: MouseEvent) => {
      if (detail < 2) void this.#buy(reward)
    }
    return html`<div class="question" part="question" role="group" tabindex="-1" aria-label="${words(reward.name)}: ${text}" @keydown=${onKey}>
      <p><b>${text}</b> ${left >= 0 && !isRunning ? html`<span class="soft">${say.text('youKeep', { points: say.points(left) })}</span>` : nothing}</p>
      <div class="answers">
        <button part="button" aria-disabled=${isRunning} @click=${onClick}>${say.text(isRunning ? 'buying' : 'buy')}</button>
        <button class="plain" aria-disabled=${isRunning} @click=${() => void this.#close(reward)}>${say.text('notNow')}</button>
      </div>
    </div>`
  }

  #reward(reward: SoldReward): TemplateResult {
    const id = headingOf(reward)
    const isFresh = this.#fresh === reward.uuid
    const availability = this.#isBuyer ? availabilityOf(reward) : undefined
    return shopCard(this.say, reward, {
      availability,
      action: this.#action(reward, availability),
      said: this.saidAt === id ? this.said : '',
      isFresh,
      confetti:
        isFresh && !prefersReducedMotion() ? html`<canvas aria-hidden="true"></canvas>` : nothing,
    })
  }

  #wallet() {
    const { balance } = this.session ?? {}
    if (balance === undefined || !this.#isBuyer) return nothing
    return html`<span class="wallet" part="balance">
      ${coin}<span class="hidden">${this.say.text('yourBalance')}: </span>
      <b class="number">${this.say.points(balance)}</b>
    </span>`
  }

  protected override content(): TemplateResult {
    const { items = [], after = null } = this.#shop ?? {}
    const { say } = this
    return html`<section class="card" part="card" aria-label=${say.text('shop')}>
      <div class="head">
        <h2 class="title" part="title">${say.text('shop')}</h2>
        ${this.#wallet()}
      </div>
      ${
        items.length === 0
          ? html`<p class="notice">${say.text('noShop')}</p>`
          : html`<ul class="shelf">${repeat(items, headingOf, (reward) => this.#reward(reward))}</ul>`
      }
      ${after === null ? nothing : html`<button class="plain more" @click=${() => void this.#more()}>${say.text('more')}</button>`}
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('shop')}</h2>
      <div class="shelf">${[1, 2, 3].map(() => html`<div class="bone tile"></div>`)}</div>`
  }
}
