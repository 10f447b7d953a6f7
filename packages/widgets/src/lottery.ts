/** `<tessera-lottery slug="…">`: the pot or the jackpot, the remaining time, the prizes, and the last numbers. */
import { html, nothing, type TemplateResult } from 'lit'
import { TesseraElement } from './base-element.ts'
import type { Brand } from './brand.ts'
import { lotteryStyles } from './lottery-styles.ts'
import { Problem } from './problem.ts'
import { lotteryQuery } from './public-documents.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'

type Range = { count: number; min: number; max: number }
type Money = { amountCents: number; currency: string }
type PrizeTier = {
  name: string
  mainMatches: number
  bonusMatches: number
  potShareBasisPoints: number | null
  amount: Money | null
}
type Draw = {
  uuid: string
  lotteryName: string
  number: number
  status: string
  closesAt: string
  drawnAt: string | null
  mainNumbers: number[]
  bonusNumbers: number[]
  pageUrl: string
  ticketCount: number
  pot: Money
  brand: Brand
  /** The jackpot is null where a prize is a share of the pot. */
  rules: { jackpot: Money | null; mainRange: Range; bonusRange: Range | null; tiers: PrizeTier[] }
}

const units: [TextKey, number][] = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
]

/** The interval at which the pot is read again. */
const readEveryMs = 30_000

export class LotteryElement extends TesseraElement {
  static override properties = { ...TesseraElement.properties, slug: { type: String } }
  static override styles = [theme, lotteryStyles]
  declare slug: string
  #draws: Draw[] | undefined
  #clock: ReturnType<typeof setInterval> | undefined
  #readAt = 0

  constructor() {
    super()
    this.slug = ''
  }

  protected override get isLoaded(): boolean {
    return this.#draws !== undefined
  }
  protected override get brand(): Brand | undefined {
    return this.#draws?.[0]?.brand ?? super.brand
  }
  protected override get showsBrand(): boolean {
    return true
  }
  protected override clear(): void {
    this.#draws = undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock = setInterval(() => this.#tick(), 1_000)
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('slug')) {
      this.clear()
      void this.refetch()
    }
  }

  #tick(): void {
    if (document.hidden || !this.#draws) return
    this.requestUpdate()
    if (Date.now() - this.#readAt > readEveryMs && this.session) {
      this.#readAt = Date.now()
      // If this fails, the current content stays.
      void this.load(this.session).catch(() => undefined)
    }
  }

  protected override async load(session: Session): Promise<void> {
    this.#readAt = Date.now()
    const variables = { by: { slug: this.slug } }
    type Data = { publicLottery: { openDraw: Draw | null; lastDraw: Draw | null } | null }
    const { publicLottery } = await session.ask<Data>(lotteryQuery, variables)
    const draws = [publicLottery?.openDraw ?? [], publicLottery?.lastDraw ?? []].flat()
    if (draws.length === 0) throw new Problem('NOT_FOUND', this.say.text('lotteryMissing'), 404)
    this.#draws = draws
  }

  #countdown({ closesAt }: Draw) {
    const { say } = this
    let left = Math.max(0, Math.ceil((Date.parse(closesAt) - Date.now()) / 1_000))
    if (left === 0) return html`<p class="closed">${say.text('closed')}</p>`
    const parts = units.map(([name, length]) => {
      const value = Math.floor(left / length)
      left %= length
      return html`<span class="unit"><b class="number">${String(value).padStart(2, '0')}</b><small>${say.text(name)}</small></span>`
    })
    return html`<div>
      <h3>${say.text('closesIn')}</h3>
      <div class="countdown" role="timer" part="countdown">${parts}</div>
    </div>`
  }

  #prize({ potShareBasisPoints, amount }: PrizeTier): string {
    if (amount) return this.say.money(amount.amountCents, amount.currency)
    return this.say.text('shareOfPot', {
      share: this.say.percent((potShareBasisPoints ?? 0) / 10_000),
    })
  }

  #numbers({ mainNumbers: main, bonusNumbers: bonus, drawnAt, pageUrl }: Draw) {
    const { say } = this
    return html`<div class="last" part="last">
      <h3>${say.text('lastDraw', { date: drawnAt ? say.date(drawnAt) : '' })}</h3>
      <ul class="balls">
        ${main.map((number) => html`<li class="ball number">${number}</li>`)}
        ${bonus.map((number) => html`<li class="ball bonus number">${number}<span class="hidden"> ${say.text('bonus')}</span></li>`)}
      </ul>
      <a href=${pageUrl} target="_blank" rel="noopener">${say.text('verify')}</a>
    </div>`
  }

  protected override content(): TemplateResult {
    const draws = this.#draws ?? []
    const open = draws.find(({ status }) => status === 'OPEN')
    const drawn = draws.find(({ mainNumbers }) => mainNumbers.length > 0)
    const shown = open ?? drawn
    if (!shown) return html``
    const { say } = this
    const { pot, rules, ticketCount, lotteryName } = shown
    const { jackpot } = rules
    const { amountCents, currency } = jackpot ?? pot
    return html`<section class="card" part="card" aria-label=${lotteryName}>
      ${this.brandPicture()}
      <header part="header">
        <h2 class="title" part="title">${lotteryName}</h2>
        <p class="pot" part="pot">
          <small>${say.text(jackpot ? 'topPrize' : 'jackpot')}</small>
          <b class="number">${say.money(amountCents, currency)}</b>
        </p>
        <p>${say.counted('tickets', ticketCount)}</p>
      </header>
      <div class="body">
        ${open ? this.#countdown(open) : html`<p class="closed">${say.text('closed')}</p>`}
        ${drawn ? this.#numbers(drawn) : nothing}
        <div>
          <h3>${say.text('prizes')}</h3>
          <ul class="tiers">
            ${rules.tiers.map(
              (tier) => html`<li>
                <span><b>${tier.name}</b><small>${say.text(tier.bonusMatches > 0 ? 'prizeForBonus' : 'prizeFor', { main: tier.mainMatches })}</small></span>
                <b class="number">${this.#prize(tier)}</b>
              </li>`,
            )}
          </ul>
        </div>
      </div>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<div class="bone pot-bone"></div>
      ${[1, 2, 3].map(() => html`<div class="bone line"></div>`)}`
  }
}
