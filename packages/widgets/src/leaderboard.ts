/** `<tessera-leaderboard count="10">`: the best users, and the rank of the current user. */
import { css, html, nothing, type TemplateResult } from 'lit'
import { avatar } from './avatar.ts'
import { TesseraElement } from './base-element.ts'
import { leaderboardAroundQuery, leaderboardQuery } from './documents.ts'
import type { Session } from './session.ts'
import { rowStyles, theme } from './theme.ts'

type Leader = {
  rank: number
  user: { id: string; externalId: string; displayName: string | null; score: number }
}

const medals = ['#ffc93c', '#c9d3e6', '#e09a5f']

/** A public name. An id is never shown in full. */
const publicName = ({ displayName, externalId }: Leader['user']) =>
  displayName ?? `${[...externalId].slice(0, 2).join('')}•••`

export class LeaderboardElement extends TesseraElement {
  static override properties = { ...TesseraElement.properties, count: { type: Number } }
  static override styles = [
    theme,
    rowStyles,
    css`
      .row.me {
        background: color-mix(in oklab, var(--_accent) 16%, transparent);
        box-shadow: inset 0 0 0 1.5px var(--_accent);
      }
      .row {
        grid-template-columns: 34px auto minmax(0, 1fr) auto;
      }
      .rank {
        color: var(--_soft);
        font-weight: 700;
        text-align: center;
      }
      .medal {
        display: block;
        width: 30px;
        margin-inline: auto;
      }
      .gap {
        padding-inline-start: 24px;
        color: var(--_soft);
        line-height: 0.8;
      }
    `,
  ]
  /** The number of users to show, 1 to 100. */
  declare count: number
  #leaders: Leader[] | undefined
  #own: Leader | undefined

  constructor() {
    super()
    this.count = 10
  }

  protected override get isLoaded(): boolean {
    return this.#leaders !== undefined
  }
  protected override clear(): void {
    this.#leaders = undefined
  }

  protected override async load(session: Session): Promise<void> {
    const first = Math.min(100, Math.max(1, this.count || 10))
    const externalId = session.hasUser ? await session.userId() : undefined
    const [{ leaderboard }, own] = await Promise.all([
      session.ask<{ leaderboard: { nodes: Leader[] } }>(leaderboardQuery, { first }),
      externalId === undefined
        ? undefined
        : session.ask<{ leaderboardAround: Leader[] | null }>(leaderboardAroundQuery, {
            externalId,
          }),
    ])
    this.#leaders = leaderboard.nodes
    this.#own = own?.leaderboardAround?.[0]
  }

  /** Plays change scores. */
  protected override played(): void {
    void this.refetch()
  }

  #row({ rank, user }: Leader): TemplateResult {
    const isMe = this.session?.isUser(user.externalId)
    const name = publicName(user)
    const medal = medals[rank - 1]
    return html`<li class="row ${isMe ? 'me' : ''}" part=${isMe ? 'row own' : 'row'}>
      ${
        medal
          ? html`<span><span class="hidden">${rank}. </span><svg class="medal" viewBox="0 0 32 32" aria-hidden="true">
              <path d="M8 1h7l3 9h-7zM24 1h-7l-3 9h7z" fill="var(--_accent)"></path>
              <circle cx="16" cy="20" r="11" fill=${medal}></circle>
              <text x="16" y="21" fill="#2a1d00" font-size="12" font-weight="800" text-anchor="middle" dominant-baseline="central">${rank}</text>
            </svg></span>`
          : html`<span class="rank number">${this.say.number(rank)}<span class="hidden">. </span></span>`
      }
      ${avatar(user.id)}
      <span><b>${name}</b>${isMe ? html`<small>${this.say.text('you')}</small>` : nothing}</span>
      <span class="figure number">${this.say.number(user.score)}</span>
    </li>`
  }

  protected override content(): TemplateResult {
    const leaders = this.#leaders ?? []
    const own = this.#own
    const isListed = own && leaders.some(({ user }) => user.id === own.user.id)
    return html`<section class="card" part="card" aria-label=${this.say.text('leaderboard')}>
      <div class="head">
        <h2 class="title" part="title">${this.say.text('leaderboard')}</h2>
        <span class="soft">${this.say.text('score')}</span>
      </div>
      ${
        leaders.length === 0
          ? html`<p class="notice">${this.say.text('noLeaders')}</p>`
          : html`<ol class="rows">
              ${leaders.map((leader) => this.#row(leader))}
              ${own && !isListed ? html`<li class="gap" aria-hidden="true">⋮</li>${this.#row(own)}` : nothing}
            </ol>`
      }
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('leaderboard')}</h2>
      ${[1, 2, 3, 4, 5].map(() => html`<div class="bone line"></div>`)}`
  }
}
