/** `<tessera-offers>`: offers that the user can claim, each once. */
import { css, html, nothing, type TemplateResult } from 'lit'
import { claimMutation, offersQuery } from './documents.ts'
import { FollowingElement } from './following-element.ts'
import { Problem } from './problem.ts'
import { payloadOf, type Result, type Session } from './session.ts'
import { rowStyles, theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

export type Offer = {
  uuid: string
  title: string
  description: string | null
  points: number
  creditsPoints: boolean
  expiresAt: string
}

type Claim = 'running' | 'done'

export class OffersElement extends FollowingElement {
  static override styles = [
    theme,
    rowStyles,
    css`
      .offers {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr));
        gap: 14px;
        margin-top: 16px;
      }
      .offer {
        display: grid;
        align-content: start;
        gap: 6px;
        padding: 18px;
        border: 1px solid var(--_line);
        border-radius: calc(var(--_radius) * 0.8);
        background: linear-gradient(135deg, color-mix(in oklab, var(--_accent) 14%, var(--_surface)), var(--_surface) 60%);
      }
      .offer b {
        font-size: 1.06rem;
      }
      .offer .worth {
        color: var(--_accent);
        font-weight: 750;
      }
      .offer .foot {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        margin-top: 8px;
      }
      .offer small {
        color: var(--_soft);
      }
      .said {
        min-height: 1.45em;
        margin-top: 10px;
        color: var(--_soft);
      }
      .bone.tile {
        height: 130px;
      }
    `,
  ]
  #offers: Offer[] | undefined
  readonly #claims = new Map<string, Claim>()
  #said = ''

  protected override get needsUser(): boolean {
    return true
  }
  protected override get follows(): readonly Part[] {
    return ['offers']
  }
  protected override get isLoaded(): boolean {
    return this.#offers !== undefined
  }
  protected override clear(): void {
    this.#offers = undefined
    this.#claims.clear()
    this.#said = ''
  }

  protected override async read(session: Session): Promise<() => void> {
    type Data = { user: { offers: { nodes: Offer[] } } | null }
    const externalId = await session.userId()
    const { user } = await session.ask<Data>(offersQuery, { externalId })
    return () => this.#show(user?.offers.nodes ?? [])
  }

  protected override take({ offers }: UserState): boolean {
    if (offers) this.#show(offers.nodes)
    return true
  }

  /** Shows offers. One that was just claimed stays in its place, and says so. */
  #show(offers: Offer[]): void {
    const shown = [...offers]
    for (const [n, offer] of (this.#offers ?? []).entries()) {
      const isGone = !offers.some(({ uuid }) => uuid === offer.uuid)
      if (isGone && this.#claims.has(offer.uuid)) shown.splice(n, 0, offer)
    }
    this.#offers = shown
  }

  async #claim(offer: Offer): Promise<void> {
    const { session } = this
    if (!session || this.#claims.has(offer.uuid)) return
    this.#set(offer, 'running', '')
    try {
      type Data = { result: Result<{ user: { balance: number } }> }
      const variables = { externalId: await session.userId(), offerId: offer.uuid }
      const { result } = await session.ask<Data>(claimMutation, variables, {
        key: crypto.randomUUID(),
        onWait: (problem) => this.#set(offer, 'running', this.explain(problem)),
      })
      session.setBalance(payloadOf(result).user.balance)
      this.#set(offer, 'done', this.say.text('offerClaimed', { title: offer.title }))
      this.emit('claim', { offer, balance: session.balance })
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('FAILED', String(error))
      this.#claims.delete(offer.uuid)
      this.#said = this.say.text('claimFailed')
      this.fail(problem)
      this.requestUpdate()
    }
  }

  #set({ uuid }: Offer, claim: Claim, said: string): void {
    this.#claims.set(uuid, claim)
    this.#said = said
    this.requestUpdate()
  }

  #offer(offer: Offer): TemplateResult {
    const { say } = this
    const claim = this.#claims.get(offer.uuid)
    const word = claim === 'done' ? 'claimed' : claim === 'running' ? 'claiming' : 'claim'
    return html`<li class="offer" part="offer">
      <b>${offer.title}</b>
      ${offer.description ? html`<p class="soft">${offer.description}</p>` : nothing}
      ${offer.points > 0 ? html`<span class="worth">${say.points(offer.points)}</span>` : nothing}
      <div class="foot">
        <small>${say.text('until', { date: say.date(offer.expiresAt) })}</small>
        <button
          part="button"
          aria-disabled=${claim !== undefined}
          aria-label="${say.text(word)}: ${offer.title}"
          @click=${() => void this.#claim(offer)}
        >
          ${say.text(word)}
        </button>
      </div>
    </li>`
  }

  protected override content(): TemplateResult {
    const offers = this.#offers ?? []
    return html`<section class="card" part="card" aria-label=${this.say.text('offers')}>
      <h2 class="title" part="title">${this.say.text('offers')}</h2>
      ${
        offers.length === 0
          ? html`<p class="notice">${this.say.text('noOffers')}</p>`
          : html`<ul class="offers">${offers.map((offer) => this.#offer(offer))}</ul>`
      }
      <p class="said" role="status" aria-live="polite">${this.#said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('offers')}</h2>
      <div class="offers"><div class="bone tile"></div><div class="bone tile"></div></div>`
  }
}
