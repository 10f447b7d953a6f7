/** `<tessera-match match-id="…">`: a live match of the arena. Without an id, any match that is being played. */
import { html, nothing, type TemplateResult } from 'lit'
import { avatar } from './avatar.ts'
import { TesseraElement } from './base-element.ts'
import { liveMatchQuery, matchSubscription } from './documents.ts'
import { follow } from './follow.ts'
import { matchStyles } from './match-styles.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'

type Side = { uuid: string; displayName: string; tier: string; eloRating: number }
type Match = {
  uuid: string
  gameType: string
  bestOf: number
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED'
  agent1Score: number
  agent2Score: number
  winnerSlot: number | null
  spectatorCount: number
  agent1: Side
  agent2: Side
}
type Position = { gameNumber: number; board: string[][]; turn: number[] }
type Score = Pick<Match, 'agent1Score' | 'agent2Score' | 'winnerSlot'>
type MatchEvent = { kind: string; seq: number } & Partial<Score> &
  Partial<Position> & { match?: Match; currentGame?: Position | null }

const states: Record<Match['status'], TextKey> = {
  SCHEDULED: 'scheduled',
  IN_PROGRESS: 'live',
  COMPLETED: 'finished',
  CANCELLED: 'cancelled',
}

const statusAfter: Record<string, Match['status']> = {
  ArenaMatchStarted: 'IN_PROGRESS',
  ArenaMatchCompleted: 'COMPLETED',
  ArenaMatchCancelled: 'CANCELLED',
}

/** `TIC_TAC_TOE` → `Tic tac toe` */
const words = (name: string) => {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export class MatchElement extends TesseraElement {
  static override properties = {
    ...TesseraElement.properties,
    matchId: { type: String, attribute: 'match-id' },
  }
  static override styles = [theme, matchStyles]
  declare matchId: string
  #match: Match | undefined
  #position: Position | undefined
  #seq: number | undefined
  #spoken = ''
  #leave: (() => void) | undefined

  constructor() {
    super()
    this.matchId = ''
  }

  /** The arena is public. */
  protected override get needsKey(): boolean {
    return false
  }
  protected override get isLoaded(): boolean {
    return this.#match !== undefined
  }
  protected override clear(): void {
    this.#leave?.()
    this.#match = undefined
    this.#position = undefined
    this.#seq = undefined
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#leave?.()
    this.#leave = undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.#match && !this.#leave) void this.refetch()
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('matchId')) {
      this.clear()
      void this.refetch()
    }
  }

  protected override async load(session: Session): Promise<void> {
    const matchId = this.matchId || (await this.#findLive(session))
    this.#leave?.()
    await new Promise<void>((resolve, reject) => {
      this.#leave = follow<MatchEvent>({
        baseUrl: session.baseUrl,
        document: matchSubscription,
        variables: () => ({ matchId, ...(this.#seq !== undefined && { sinceSeq: this.#seq }) }),
        onData: (event) => {
          this.#take(event)
          resolve()
        },
        onRefused: () => reject(new Problem('NOT_FOUND', this.say.text('matchMissing'), 404)),
        isOver: () => /COMPLETED|CANCELLED/.test(this.#match?.status ?? ''),
      })
    })
  }

  async #findLive(session: Session): Promise<string> {
    type Data = { arena: { matches: { nodes: { uuid: string }[] } } }
    const { arena } = await session.ask<Data>(liveMatchQuery, {})
    const [match] = arena.matches.nodes
    if (!match) throw new Problem('NOT_FOUND', this.say.text('noMatch'), 404)
    return match.uuid
  }

  #take({ kind, seq, match, currentGame, ...event }: MatchEvent): void {
    this.#seq = seq
    if (match) this.#match = match
    if (currentGame) this.#position = currentGame
    const { gameNumber, board, turn, agent1Score, agent2Score, winnerSlot } = event
    if (gameNumber !== undefined && board && turn) this.#position = { gameNumber, board, turn }
    const known = this.#match
    if (!known) return
    if (agent1Score !== undefined && agent2Score !== undefined)
      this.#match = { ...known, agent1Score, agent2Score }
    const status = statusAfter[kind]
    if (status) this.#end(status, winnerSlot ?? null)
    this.requestUpdate()
  }

  #end(status: Match['status'], winnerSlot: number | null): void {
    if (!this.#match) return
    this.#match = { ...this.#match, status, winnerSlot }
    this.#spoken = this.#verdict(this.#match) ?? ''
    if (status === 'COMPLETED') this.emit('match-end', { matchId: this.#match.uuid, winnerSlot })
  }

  #verdict({ status, winnerSlot, agent1, agent2 }: Match): string | undefined {
    if (status === 'CANCELLED') return this.say.text('cancelled')
    if (status !== 'COMPLETED') return undefined
    if (winnerSlot === null) return this.say.text('matchDrawn')
    return this.say.text('matchWon', { name: (winnerSlot === 1 ? agent1 : agent2).displayName })
  }

  #side(side: Side, slot: number, match: Match): TemplateResult {
    const isWinner = match.status === 'COMPLETED' && match.winnerSlot === slot
    const hasTurn = match.status === 'IN_PROGRESS' && this.#position?.turn.includes(slot)
    return html`<div class="side s${slot} ${isWinner ? 'winner' : ''} ${hasTurn ? 'turn' : ''}" part="side">
      ${avatar(side.displayName, side.uuid)}
      <b>${side.displayName}</b>
      <small>${words(side.tier)} · ${this.say.number(side.eloRating)}</small>
    </div>`
  }

  #board({ gameType }: Match) {
    const position = this.#position
    if (!position) return html`<div class="board none"></div>`
    if (gameType === 'ROCK_PAPER_SCISSORS') {
      const hands = position.board[0] ?? []
      return html`<div class="hands">
        ${[0, 1].map((i) => html`<span class="hand s${i + 1}">${hands[i] ? words(hands[i]) : '…'}</span>`)}
      </div>`
    }
    return html`<div class="board ${gameType === 'CONNECT_FOUR' ? 'discs' : 'marks'}">
      ${position.board.map(
        (row) => html`<div class="line">
          ${row.map((cell) => html`<i class=${cell ? `s${cell}` : ''}></i>`)}
        </div>`,
      )}
    </div>`
  }

  protected override content(): TemplateResult {
    const match = this.#match
    if (!match) return html``
    const { say } = this
    const verdict = this.#verdict(match)
    return html`<section class="card" part="card" aria-label="${match.agent1.displayName} – ${match.agent2.displayName}">
      <div class="head">
        <span class="state ${match.status.toLowerCase()}">${say.text(states[match.status])}</span>
        <span class="soft">${words(match.gameType)} · ${say.text('bestOf', { count: match.bestOf })}</span>
      </div>
      <div class="sides">
        ${this.#side(match.agent1, 1, match)}
        <div class="score number" part="score">
          <span class="hidden">${match.agent1Score} : ${match.agent2Score}</span>
          <span aria-hidden="true">${match.agent1Score}<i>:</i>${match.agent2Score}</span>
        </div>
        ${this.#side(match.agent2, 2, match)}
      </div>
      <div aria-hidden="true">${this.#board(match)}</div>
      <p class="foot soft">
        ${verdict ? html`<b>${verdict}</b>` : nothing}
        ${this.#position && !verdict ? say.text('round', { number: this.#position.gameNumber }) : nothing}
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
