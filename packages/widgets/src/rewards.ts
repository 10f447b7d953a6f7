/** `<tessera-rewards>`: what the user can claim, what is on its way, codes, and free plays that are left. */
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { clock, noteOf, parcel, rewardText, timeText } from './goal-card.ts'
import { isClaimable } from './goal-data.ts'
import { Problem } from './problem.ts'
import { rewardArt } from './reward-art.ts'
import {
  type Items,
  isOpen,
  isUpToDate,
  openAfter,
  playsLeftOf,
  type RewardGrant,
  readOpenRewards,
  readRewards,
  revealCode,
  whenOf,
} from './reward-data.ts'
import { RewardElement } from './reward-element.ts'
import { rewardsStyles } from './rewards-styles.ts'
import type { Session } from './session.ts'
import './shop-texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

/** Rewards that are shown at once, beside those that are open. */
const pageSize = 20

/** The id of the name of a grant. */
const idOf = ({ uuid }: RewardGrant) => `grant-${uuid}`
/** The id of the code of a grant. */
const codeIdOf = ({ uuid }: RewardGrant) => `code-${uuid}`

export class RewardsElement extends RewardElement {
  static override styles = [theme, rewardsStyles]
  #open: RewardGrant[] = []
  #rewards: Items<RewardGrant> | undefined
  /** The code that was just copied, or selected where it cannot be copied. */
  #copied: { uuid: string; text: 'copied' | 'codeSelected' } | undefined

  protected override get needsUser(): boolean {
    return true
  }
  protected override get needsToken(): boolean {
    return true
  }
  protected override get follows(): readonly Part[] {
    return ['grants', 'rewards']
  }
  protected override get isLoaded(): boolean {
    return this.#rewards !== undefined
  }
  protected override clear(): void {
    this.#rewards = undefined
    this.#open = []
    this.said = ''
  }

  protected override get nextChangeAt(): number {
    const shown = [...this.#open, ...(this.#rewards?.items ?? [])]
    const times = shown.flatMap((item) => [item.heldUntil, item.claimExpiresAt, item.playableUntil])
    const ahead = times.map((at) => Date.parse(at ?? '')).filter((at) => at > this.readAt)
    return Math.min(...ahead)
  }

  protected override async read(session: Session): Promise<() => void> {
    const { items, after } = this.#rewards ?? { items: [], after: '' }
    // A list that is shown to its end stays so when rewards come.
    const count = after === null ? items.length + pageSize : Math.max(pageSize, items.length)
    const [open, rewards] = await Promise.all([
      readOpenRewards(session),
      readRewards(session, count),
    ])
    return () => {
      this.#open = open
      this.#rewards = rewards
    }
  }

  protected override take({ grants, rewards }: UserState): boolean {
    if (!grants || !rewards || !this.#rewards) return true
    const open = openAfter(this.#open, grants)
    if (!open || !isUpToDate(this.#rewards, rewards)) return false
    this.#open = open
    return true
  }

  async #more(): Promise<void> {
    const { session } = this
    const rewards = this.#rewards
    if (!session || !rewards?.after) return
    // A second click during a load does nothing.
    this.#rewards = { ...rewards, after: null }
    try {
      const { items, after } = await readRewards(session, pageSize, rewards.after)
      this.#rewards = { items: [...rewards.items, ...items], after }
    } catch (error) {
      this.#rewards = rewards
      if (error instanceof Problem) this.fail(error)
    }
    this.requestUpdate()
  }

  async #reveal(grant: RewardGrant): Promise<void> {
    this.#copied = undefined
    await this.act(idOf(grant), async (session) => {
      const code = await revealCode(session, grant.uuid, this.onWait)
      return this.say.text('codeShown', { code })
    })
    this.shadowRoot?.getElementById(codeIdOf(grant))?.focus()
  }

  protected override refusal(problem: Problem): string {
    const isGone = /^GRANT_NOT_(FOUND|ACTIVE)$/.test(problem.code)
    // What is claimed is not in this list yet.
    const isCode = this.#rewards?.items.some((item) => idOf(item) === this.running)
    return isGone && isCode ? this.say.text('codeGone') : super.refusal(problem)
  }

  async #copy(grant: RewardGrant): Promise<void> {
    const { uuid, code } = grant
    try {
      // There is no clipboard on pages without TLS, and a page may forbid it.
      await navigator.clipboard.writeText(code ?? '')
      this.#copied = { uuid, text: 'copied' }
    } catch {
      const shown = this.shadowRoot?.getElementById(codeIdOf(grant))
      if (shown) getSelection()?.selectAllChildren(shown)
      this.#copied = { uuid, text: 'codeSelected' }
    }
    this.saidAt = undefined
    this.said = this.say.text(this.#copied.text)
    this.requestUpdate()
  }

  #button(grant: RewardGrant): TemplateResult | typeof nothing {
    const { say } = this
    const isClaim = isClaimable(grant)
    const isCode = grant.reward.kind === 'CODE' && grant.status === 'ISSUED'
    if (!isClaim && !isCode) return nothing
    const isRunning = this.running === idOf(grant)
    const word = isClaim
      ? say.text(isRunning ? 'claiming' : 'claim')
      : say.text(isRunning ? 'showingCode' : 'showCode')
    const run = () =>
      isClaim
        ? this.act(idOf(grant), (session) => this.claim(session, [grant]))
        : this.#reveal(grant)
    return html`<button
      part="button"
      aria-disabled=${isRunning}
      aria-label="${word}: ${this.#name(grant)}"
      @click=${() => void run()}
    >${word}</button>`
  }

  #name({ reward, points }: RewardGrant): string {
    return rewardText(this.say, { ...reward, points })
  }

  #code(grant: RewardGrant): TemplateResult {
    const { say } = this
    const copied = this.#copied?.uuid === grant.uuid ? this.#copied.text : undefined
    return html`<div class="code">
      <code id=${codeIdOf(grant)} tabindex="-1" part="code">${grant.code}</code>
      <button class="plain" aria-label="${say.text('copy')}: ${this.#name(grant)}" @click=${() => void this.#copy(grant)}>${say.text(
        copied === 'copied' ? 'copied' : 'copy',
      )}</button>
      ${copied === 'codeSelected' ? html`<p class="said" aria-hidden="true">${say.text(copied)}</p>` : nothing}
    </div>`
  }

  /** What has become of it. */
  #state(grant: RewardGrant): TemplateResult | typeof nothing {
    const { say } = this
    const { status, reward, heldUntil, claimExpiresAt, fulfilledAt, failure, price } = grant
    if (status === 'HELD')
      return noteOf(parcel, heldUntil ? timeText(say, 'onWay', heldUntil) : say.text('onItsWay'))
    if (status === 'READY') {
      if (!isClaimable(grant)) return noteOf(parcel, say.text('onItsWay'))
      return claimExpiresAt ? noteOf(clock, timeText(say, 'claim', claimExpiresAt)) : nothing
    }
    if (status === 'FAILED')
      return noteOf(nothing, say.text(failure === 'OUT_OF_STOCK' ? 'noneLeft' : 'notHandedOut'))
    if (status === 'CANCELLED')
      return noteOf(
        nothing,
        price ? say.text('pointsBack', { points: say.points(price) }) : say.text('rewardCancelled'),
      )
    if (status === 'FULFILLED')
      return fulfilledAt && !grant.code
        ? noteOf(nothing, say.text('handedOut', { date: say.date(fulfilledAt) }))
        : nothing
    if (reward.kind === 'ITEM') return noteOf(parcel, say.text('weHandItOut'))
    return reward.kind === 'FREE_PLAYS' ? this.#plays(grant) : nothing
  }

  /** The free plays that are left, and until when. */
  #plays(grant: RewardGrant): TemplateResult {
    const { say } = this
    const { freePlaysLeft, playableUntil } = grant
    const left = playsLeftOf(grant)
    if (left === 0)
      return noteOf(
        nothing,
        freePlaysLeft && playableUntil
          ? say.text('playsEnded', { date: say.date(playableUntil) })
          : say.text('playsUsed'),
      )
    const until = playableUntil
      ? html`, <time datetime=${playableUntil}>${say.text('playsUntil', { when: whenOf(say, playableUntil) })}</time>`
      : nothing
    return noteOf(clock, html`${say.counted('playsLeft', left)}${until}`)
  }

  #reward(grant: RewardGrant): TemplateResult {
    const { reward, status, message, gameType, issuedAt, createdAt } = grant
    const id = idOf(grant)
    const at = issuedAt ?? createdAt
    const isOver =
      status === 'CANCELLED' ||
      status === 'FAILED' ||
      (reward.kind === 'FREE_PLAYS' && status === 'ISSUED' && playsLeftOf(grant) === 0)
    const look = isClaimable(grant) ? 'claimable' : isOver ? 'over' : ''
    return html`<li class="grant ${look}" part="grant">
      ${rewardArt(reward, gameType)}
      <div class="text">
        <h3 id=${id} tabindex="-1">${this.#name(grant)}</h3>
        ${reward.description ? html`<p class="soft">${reward.description}</p>` : nothing}
        <div class="state">${this.#state(grant)}</div>
        ${message ? html`<p class="message" part="message">${message}</p>` : nothing}
        ${grant.code ? this.#code(grant) : nothing}
        ${this.saidAt === id && this.said && !grant.code ? html`<p class="said" aria-hidden="true">${this.said}</p>` : nothing}
        <small><time datetime=${at}>${this.say.date(at)}</time></small>
      </div>
      ${this.#button(grant)}
    </li>`
  }

  protected override content(): TemplateResult {
    const { items = [], after = null } = this.#rewards ?? {}
    const shown = [...this.#open.filter(isOpen), ...items]
    const { say, saidAt } = this
    // Points that were claimed leave the list.
    const isGone = this.said && saidAt && !shown.some((grant) => idOf(grant) === saidAt)
    return html`<section class="card" part="card" aria-label=${say.text('rewards')}>
      <h2 class="title" part="title">${say.text('rewards')}</h2>
      ${isGone ? html`<p class="said" aria-hidden="true">${this.said}</p>` : nothing}
      ${
        shown.length === 0
          ? html`<p class="notice">${say.text('noRewards')}</p>`
          : html`<ul class="grants">${repeat(shown, idOf, (grant) => this.#reward(grant))}</ul>`
      }
      ${after === null ? nothing : html`<button class="plain more" @click=${() => void this.#more()}>${say.text('more')}</button>`}
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('rewards')}</h2>
      <div class="grants">${[1, 2, 3].map(() => html`<div class="bone line"></div>`)}</div>`
  }
}
