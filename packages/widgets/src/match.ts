/** `<tessera-match match-id="…">`: a live match of the arena. Without an id, any match that is being played. */
import { html, nothing, type TemplateResult, unsafeCSS } from 'lit'
import { byEvents } from '../../client/src/by-events.ts'
import { Fault } from '../../client/src/fault.ts'
import {
  applyEvent,
  type EventOfMatch,
  isLast,
  isOver,
  type MatchState,
  type Slot,
} from '../../client/src/match-state.ts'
import { reach } from '../../client/src/request.ts'
import { resumed } from '../../client/src/resume.ts'
import { avatar } from './avatar.ts'
import { TesseraElement } from './base-element.ts'
import { liveMatchQuery, matchSubscription } from './documents.ts'
import { draw } from './draw.ts'
import { jsx } from './jsx-runtime.ts'
import { boardStyles, lookOf } from './looks.js'
import { matchStyles } from './match-styles.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'

type Side = { uuid: string; displayName: string; tier: string; eloRating: number }
type Match = {
  uuid: string
  gameType: string
  gameName: string
  bestOf: number
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED'
  agent1Score: number
  agent2Score: number
  winnerSlot: Slot | null
  spectatorCount: number
  currentRoundNumber: number
  roundCount: number
  agent1: Side
  agent2: Side
}
type MatchEvent = EventOfMatch<Match>

const states: Record<Match['status'], TextKey> = {
  SCHEDULED: 'scheduled',
  IN_PROGRESS: 'live',
  COMPLETED: 'finished',
  CANCELLED: 'cancelled',
}

/** `CHAMPION` → `Champion` */
const words = (name: string) => {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export class MatchElement extends TesseraElement {
  static override properties = {
    ...TesseraElement.properties,
    matchId: { type: String, attribute: 'match-id' },
  }
  static override styles = [theme, unsafeCSS(boardStyles), matchStyles]
  declare matchId: string
  #state: MatchState<Match> | null = null
  #spoken = ''
  #watching: AbortController | undefined

  constructor() {
    super()
    this.matchId = ''
  }

  /** The arena is public. */
  protected override get needsKey(): boolean {
    return false
  }
  protected override get isLoaded(): boolean {
    return this.#state !== null
  }
  protected override clear(): void {
    this.#watching?.abort()
    this.#state = null
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#watching?.abort()
    this.#watching = undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.#state && !this.#watching) void this.refetch()
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('matchId')) {
      this.clear()
      void this.refetch()
    }
  }

  protected override updated(): void {
    const place = this.renderRoot.querySelector('.place')
    if (!place || !this.#state) return
    const { match, current } = this.#state
    const { Board } = lookOf(match.gameType)
    // Each game has a board of its own, so that none begins with the movements of the last one.
    const key = current?.roundNumber ?? 0
    draw(place, jsx('div', { class: 'fit', children: Board({ match, game: current }) }, key))
  }

  protected override async load(session: Session): Promise<void> {
    if (this.#state && isOver(this.#state.match)) return
    const matchId = this.matchId || (await this.#findLive(session))
    this.#watching?.abort()
    this.#watching = new AbortController()
    const { signal } = this.#watching
    await new Promise<void>((resolve, reject) => {
      this.#follow(session, matchId, { signal, onEvent: resolve }).then(resolve, reject)
    })
  }

  /** Follows a match from the last known event on, to its end. */
  async #follow(
    { baseUrl }: Session,
    matchId: string,
    { signal, onEvent }: { signal: AbortSignal; onEvent: () => void },
  ): Promise<void> {
    const open = (request: Request) =>
      reach((...sent) => fetch(...sent), new Request(request, { credentials: 'omit' }))
    const variables = { matchId, ...(this.#state && { afterSeq: this.#state.seq }) }
    const events = resumed<{ result: MatchEvent }>(
      byEvents(baseUrl, matchSubscription, open),
      variables,
      {
        signal,
        resume: ({ result }) => (isLast(result) ? null : { afterSeq: result.seq }),
      },
    )
    try {
      for await (const { result } of events) {
        this.#take(result)
        onEvent()
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      throw new Problem('NOT_FOUND', this.say.text('matchMissing'), 404)
    }
  }

  async #findLive(session: Session): Promise<string> {
    type Data = { arena: { matches: { nodes: { uuid: string }[] } } }
    const { arena } = await session.ask<Data>(liveMatchQuery, {})
    const [match] = arena.matches.nodes
    if (!match) throw new Problem('NOT_FOUND', this.say.text('noMatch'), 404)
    return match.uuid
  }

  #take(event: MatchEvent): void {
    const state = applyEvent(this.#state, event)
    if (state === 'gap') return
    this.#state = state
    const { uuid, status, winnerSlot } = state.match
    if (isLast(event)) this.#spoken = this.#verdict(state.match) ?? ''
    if (event.__typename === 'ArenaMatchCompleted' && status === 'COMPLETED')
      this.emit('match-end', { matchId: uuid, winnerSlot })
    this.requestUpdate()
  }

  #verdict({ status, winnerSlot, agent1, agent2 }: Match): string | undefined {
    if (status === 'CANCELLED') return this.say.text('cancelled')
    if (status !== 'COMPLETED') return undefined
    if (winnerSlot === null) return this.say.text('matchDrawn')
    return this.say.text('matchWon', {
      name: (winnerSlot === 'AGENT1' ? agent1 : agent2).displayName,
    })
  }

  #side(side: Side, slot: Slot, match: Match): TemplateResult {
    const isWinner = match.status === 'COMPLETED' && match.winnerSlot === slot
    const hasTurn = match.status === 'IN_PROGRESS' && this.#state?.current?.turn.includes(slot)
    return html`<div class="side ${slot === 'AGENT1' ? 's1' : 's2'} ${isWinner ? 'winner' : ''} ${hasTurn ? 'turn' : ''}" part="side">
      ${avatar(side.uuid)}
      <b>${side.displayName}</b>
      <small>${words(side.tier)} · ${this.say.number(side.eloRating)}</small>
    </div>`
  }

  protected override content(): TemplateResult {
    if (!this.#state) return html``
    const { match, current } = this.#state
    const { say } = this
    const verdict = this.#verdict(match)
    return html`<section class="card" part="card" aria-label="${match.agent1.displayName} – ${match.agent2.displayName}">
      <div class="head">
        <span class="state ${match.status.toLowerCase()}">${say.text(states[match.status])}</span>
        <span class="soft">${match.gameName} · ${say.text('bestOf', { count: match.bestOf })}</span>
      </div>
      <div class="sides">
        ${this.#side(match.agent1, 'AGENT1', match)}
        <div class="score number" part="score">
          <span class="hidden">${match.agent1Score} : ${match.agent2Score}</span>
          <span aria-hidden="true">${match.agent1Score}<i>:</i>${match.agent2Score}</span>
        </div>
        ${this.#side(match.agent2, 'AGENT2', match)}
      </div>
      <div class="place" aria-hidden="true"></div>
      <p class="foot soft">
        ${verdict ? html`<b>${verdict}</b>` : nothing}
        ${current && !verdict ? say.text('round', { number: current.roundNumber }) : nothing}
        ${match.spectatorCount > 0 ? html`<span>${say.counted('watching', match.spectatorCount)}</span>` : nothing}
      </p>
      <p class="hidden" role="status" aria-live="polite">${this.#spoken}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<div class="sides">
        <div class="bone round"></div><div></div><div class="bone round"></div>
      </div>
      <div class="bone field"></div>`
  }
}
