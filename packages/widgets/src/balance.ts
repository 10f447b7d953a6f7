/** `<tessera-balance>`: the points that the user can spend. Games on the page update it. */
import { css, html, type TemplateResult } from 'lit'
import { TesseraElement } from './base-element.ts'
import { coin } from './coin.ts'
import { animate, easeOut, prefersReducedMotion } from './motion.ts'
import type { Session } from './session.ts'
import { theme } from './theme.ts'

export class BalanceElement extends TesseraElement {
  static override styles = [
    theme,
    css`
      :host {
        display: inline-block;
        container-type: normal;
      }
      .pill {
        display: inline-flex;
        align-items: center;
        gap: 10px;
        min-height: 44px;
        padding: 6px 18px 6px 8px;
        border: 1px solid var(--_line);
        border-radius: 999px;
        background: var(--_surface);
        font-weight: 700;
        line-height: 1.1;
      }
      .pill svg {
        width: 30px;
        height: 30px;
      }
      .card {
        padding: 8px 18px;
        border-radius: calc(var(--_radius) * 1.4);
      }
      .notice {
        flex-flow: row wrap;
        gap: 6px 14px;
        min-height: 26px;
      }
      .notice p {
        flex: 0 1 auto;
      }
      .notice button {
        flex: none;
        white-space: nowrap;
      }
      .bone {
        width: 120px;
        height: 26px;
      }
    `,
  ]
  #shown: number | undefined
  #isCounting = false

  protected override get needsUser(): boolean {
    return true
  }
  protected override get follows(): readonly [] {
    return []
  }
  protected override get isLoaded(): boolean {
    return this.session?.balance !== undefined
  }
  protected override async load(session: Session): Promise<void> {
    await session.readUser()
  }
  protected override clear(): void {
    this.#shown = undefined
  }
  protected override skeleton(): TemplateResult {
    return html`<div class="bone"></div>`
  }

  /** Counts up or down to the new balance. */
  async #count(): Promise<void> {
    if (this.#isCounting) return
    this.#isCounting = true
    const from = this.#shown ?? 0
    const target = this.session?.balance ?? 0
    await animate(700, (progress) => {
      this.#shown = Math.round(from + (target - from) * easeOut(progress))
      this.requestUpdate()
    })
    this.#isCounting = false
    this.requestUpdate()
  }

  protected override content(): TemplateResult {
    const balance = this.session?.balance ?? 0
    if (this.#shown === undefined || prefersReducedMotion()) this.#shown = balance
    else if (this.#shown !== balance) void this.#count()
    return html`<span class="pill" part="balance">
      ${coin}
      <span class="hidden">${this.say.text('yourBalance')}: ${this.say.points(balance)}</span>
      <span class="number" aria-hidden="true">${this.say.points(this.#shown)}</span>
    </span>`
  }
}
