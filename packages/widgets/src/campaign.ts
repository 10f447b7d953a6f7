/** `<tessera-campaign slug="…">`: the prizes of a campaign, ways to earn points, the leaders, and a field for codes. */
import { html, nothing, type TemplateResult } from 'lit'
import { TesseraElement } from './base-element.ts'
import type { Brand } from './brand.ts'
import { campaignStyles } from './campaign-styles.ts'
import { Problem } from './problem.ts'
import { campaignQuery, redeemMutation } from './public-documents.ts'
import { payloadOf, type Result, type Session } from './session.ts'
import { type TextKey, words } from './texts.ts'
import { rowStyles, theme } from './theme.ts'

type Campaign = {
  name: string
  description: string | null
  phase: string
  startsAt: string | null
  participantCount: number
  takesCodes: boolean
  eventRules: { eventType: string; points: number }[]
  referrerPoints: number | null
  prizes: { name: string; points: number; remainingCount: number; maxWins: number }[]
  leaders: { rank: number; name: string; campaignPoints: number }[]
  brand: Brand
}

const refusals: Record<string, TextKey> = {
  INVALID_CODE: 'wrongCode',
  INVALID_WIN_CODE: 'wrongCode',
  VALIDATION_FAILED: 'wrongCode',
  CODE_REDEEMED: 'usedCode',
  WIN_CODE_REDEEMED: 'usedCode',
  CODE_EXPIRED: 'oldCode',
  CODE_REVOKED: 'oldCode',
  CAMPAIGN_NOT_ACTIVE: 'campaignEnded',
  RATE_LIMITED: 'tooManyCodes',
}

export class CampaignElement extends TesseraElement {
  static override properties = { ...TesseraElement.properties, slug: { type: String } }
  static override styles = [theme, rowStyles, campaignStyles]
  declare slug: string
  #campaign: Campaign | undefined
  #said = ''
  #isWrong = false
  #isSending = false

  constructor() {
    super()
    this.slug = ''
  }

  protected override get isLoaded(): boolean {
    return this.#campaign !== undefined
  }
  protected override get brand(): Brand | undefined {
    return this.#campaign?.brand ?? super.brand
  }
  protected override get showsBrand(): boolean {
    return true
  }
  protected override clear(): void {
    this.#campaign = undefined
    this.#said = ''
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('slug')) {
      this.clear()
      void this.refetch()
    }
  }

  protected override async load(session: Session): Promise<void> {
    type Data = { publicCampaign: Campaign | null }
    const variables = { ...(await session.viewer()), slug: this.slug }
    const { publicCampaign } = await session.ask<Data>(campaignQuery, variables)
    if (!publicCampaign) throw new Problem('NOT_FOUND', this.say.text('campaignMissing'), 404)
    this.#campaign = publicCampaign
  }

  readonly #redeem = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const code = String(new FormData(form).get('code')).trim()
    const { session } = this
    if (!session || code === '' || this.#isSending) return
    this.#isSending = true
    this.#say('', false)
    try {
      type Data = { result: Result<{ points: number; prize: { name: string } | null }> }
      const externalId = await session.userId()
      const input = { ...(await session.viewer()), slug: this.slug, externalId, code }
      const { result } = await session.ask<Data>(
        redeemMutation,
        { input },
        {
          key: crypto.randomUUID(),
          onWait: (problem) => this.#say(this.explain(problem), false),
        },
      )
      const { points, prize } = payloadOf(result)
      form.reset()
      this.#say(this.say.text('redeemed', { points: this.say.points(points) }), false)
      this.emit('redeem', { slug: this.slug, points, prizeTier: prize?.name ?? null })
      void session.readUserAgain().catch(() => undefined)
      void this.refetch()
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('FAILED', String(error))
      const text = refusals[problem.code]
      this.#say(text ? this.say.text(text) : this.explain(problem), true)
      this.fail(problem)
    } finally {
      this.#isSending = false
      this.requestUpdate()
    }
  }

  #say(text: string, isWrong: boolean): void {
    this.#said = text
    this.#isWrong = isWrong
    this.requestUpdate()
  }

  #prizes({ prizes }: Campaign) {
    if (prizes.length === 0) return nothing
    const { say } = this
    return html`<div>
      <h3>${say.text('prizes')}</h3>
      <ul class="prizes">
        ${prizes.map(
          ({ name, points, remainingCount, maxWins }) => html`<li>
            <b>${name}</b><span class="worth">${say.points(points)}</span>
            <small>${say.text('prizeLeft', { left: remainingCount, all: maxWins })}</small>
            <progress aria-hidden="true" max=${Math.max(1, maxWins)} .value=${remainingCount}></progress>
          </li>`,
        )}
      </ul>
    </div>`
  }

  #ways({ eventRules, referrerPoints }: Campaign) {
    const { say } = this
    if (eventRules.length === 0 && referrerPoints === null) return nothing
    const way = (name: string, points: number) =>
      html`<li><span>${name}</span><b class="number">+${say.points(points)}</b></li>`
    return html`<div>
      <h3>${say.text('waysToEarn')}</h3>
      <ul class="ways">
        ${eventRules.map(({ eventType, points }) => way(words(eventType), points))}
        ${referrerPoints === null ? nothing : way(say.text('refer'), referrerPoints)}
      </ul>
    </div>`
  }

  #leaders({ leaders }: Campaign) {
    if (leaders.length === 0) return nothing
    return html`<div>
      <h3>${this.say.text('topTen')}</h3>
      <ol class="ways">
        ${leaders.map(
          ({ rank, name, campaignPoints }) => html`<li>
            <span><span class="rank number">${rank}</span> ${name}</span>
            <b class="number">${this.say.number(campaignPoints)}</b>
          </li>`,
        )}
      </ol>
    </div>`
  }

  #form({ takesCodes, phase }: Campaign) {
    if (!takesCodes || phase !== 'ACTIVE' || !this.session?.hasUser) return nothing
    const { say } = this
    return html`<form @submit=${this.#redeem}>
      <label for="code">${say.text('code')}</label>
      <div class="field">
        <input id="code" name="code" required maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false" part="input" aria-describedby="said" />
        <button part="button" aria-disabled=${this.#isSending}>${say.text(this.#isSending ? 'redeeming' : 'redeem')}</button>
      </div>
      <p id="said" class="said ${this.#isWrong ? 'wrong' : 'right'}" role="status" aria-live="polite">${this.#said}</p>
    </form>`
  }

  #state({ phase, startsAt, participantCount }: Campaign): string {
    const { say } = this
    if (phase === 'ACTIVE') return say.counted('participants', participantCount)
    if (phase === 'UPCOMING')
      return say.text('campaignSoon', { date: startsAt ? say.date(startsAt) : '' })
    return say.text(phase === 'PAUSED' ? 'campaignPaused' : 'campaignEnded')
  }

  protected override content(): TemplateResult {
    const campaign = this.#campaign
    if (!campaign) return html``
    return html`<section class="card" part="card" aria-label=${campaign.name}>
      ${this.brandPicture()}
      <header part="header">
        <h2 class="title" part="title">${campaign.name}</h2>
        ${campaign.description ? html`<p>${campaign.description}</p>` : nothing}
        <p class="state">${this.#state(campaign)}</p>
      </header>
      ${this.#form(campaign)}
      <div class="columns">${this.#prizes(campaign)}${this.#ways(campaign)}${this.#leaders(campaign)}</div>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<div class="bone head-bone"></div>
      ${[1, 2, 3].map(() => html`<div class="bone line"></div>`)}`
  }
}
