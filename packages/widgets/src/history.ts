/** `<tessera-history>`: the user's plays and prizes, newest first. */
import { css, html, nothing, type TemplateResult } from 'lit'
import { TesseraElement } from './base-element.ts'
import { playsQuery } from './documents.ts'
import { gameSigns } from './game-signs.ts'
import type { Play } from './plays.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import { rowStyles, theme } from './theme.ts'

const pageSize = 8

type Plays = { nodes: Play[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

export class HistoryElement extends TesseraElement {
  static override styles = [
    theme,
    rowStyles,
    css`
      .sign {
        display: grid;
        place-items: center;
        width: 40px;
        height: 40px;
        border-radius: 12px;
        background: color-mix(in oklab, var(--_tier) 16%, transparent);
        color: var(--_tier);
      }
      .sign svg {
        width: 24px;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.8;
        stroke-linejoin: round;
      }
      .epic {
        --_tier: var(--_epic);
      }
      .rare {
        --_tier: var(--_rare);
      }
      .common,
      .none {
        --_tier: var(--_common);
      }
      .none b {
        color: var(--_soft);
        font-weight: 500;
      }
      .minus {
        color: var(--_soft);
        font-weight: 500;
      }
      .more {
        margin-top: 12px;
        width: 100%;
      }
    `,
  ]
  #plays: Play[] | undefined
  #cursor: string | null = null

  protected override get needsUser(): boolean {
    return true
  }
  protected override get isLoaded(): boolean {
    return this.#plays !== undefined
  }
  protected override clear(): void {
    this.#plays = undefined
  }

  protected override async load(session: Session): Promise<void> {
    const { nodes, pageInfo } = await this.#read(session, null)
    this.#plays = nodes
    this.#cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
  }

  async #read(session: Session, after: string | null): Promise<Plays> {
    const variables = { externalId: await session.userId(), first: pageSize, after }
    const { user } = await session.ask<{ user: { plays: Plays } | null }>(playsQuery, variables)
    return user?.plays ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
  }

  async #older(): Promise<void> {
    const cursor = this.#cursor
    if (!this.session || cursor === null) return
    // A second click during a load does nothing.
    this.#cursor = null
    try {
      const { nodes, pageInfo } = await this.#read(this.session, cursor)
      this.#plays = [...(this.#plays ?? []), ...nodes]
      this.#cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } catch (error) {
      this.#cursor = cursor
      if (error instanceof Problem) this.fail(error)
    }
    this.requestUpdate()
  }

  protected override played(play: Play): void {
    if (!this.#plays || this.#plays.some(({ uuid }) => uuid === play.uuid)) return
    this.#plays = [play, ...this.#plays]
    this.requestUpdate()
  }

  #row({ gameType, reward, pointsSpent, playedAt }: Play): TemplateResult {
    const isWin = reward.value > 0
    return html`<li class="row ${isWin ? reward.tier.toLowerCase() : 'none'}" part="row">
      <span class="sign" aria-hidden="true"><svg viewBox="0 0 24 24">${gameSigns[gameType]}</svg></span>
      <span>
        <b>${reward.label}</b>
        <small><time datetime=${playedAt}>${this.say.date(playedAt, { dateStyle: 'medium', timeStyle: 'short' })}</time></small>
      </span>
      <span class="figure number minus">${pointsSpent === 0 ? this.say.text('free') : `−${this.say.points(pointsSpent)}`}</span>
    </li>`
  }

  protected override content(): TemplateResult {
    const plays = this.#plays ?? []
    return html`<section class="card" part="card" aria-label=${this.say.text('history')}>
      <h2 class="title" part="title">${this.say.text('history')}</h2>
      ${
        plays.length === 0
          ? html`<p class="notice">${this.say.text('noHistory')}</p>`
          : html`<ol class="rows">${plays.map((play) => this.#row(play))}</ol>`
      }
      ${this.#cursor === null ? nothing : html`<button class="plain more" @click=${() => void this.#older()}>${this.say.text('older')}</button>`}
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('history')}</h2>
      ${[1, 2, 3].map(() => html`<div class="bone line"></div>`)}`
  }
}
